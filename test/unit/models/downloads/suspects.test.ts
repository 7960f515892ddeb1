import { describe, expect, it, vi } from 'vitest';
import type { ByteSource } from '../../../../src-main/models/downloads/byte-source.ts';
import { Suspects } from '../../../../src-main/models/downloads/sources.ts';

function source(name: string, kind: ByteSource['kind'], distrust?: () => void): ByteSource {
  return {
    name,
    kind,
    parallel: 1,
    open: async () => ({}),
    read: async function* () {},
    close: async () => {},
    ...(distrust && { distrust }),
  };
}

describe('Suspects', () => {
  it('asks web servers first, and nobody again who gave a wrong file alone', () => {
    const [peers, first, mirror] = [source('peers', 'peers'), source('first', 'http'), source('mirror', 'http')];
    const suspects = new Suspects([peers, first, mirror]);
    suspects.blame(['first', 'peers']); // nobody knows whose bytes were wrong
    expect(suspects.next).toBe(first);
    suspects.blame(['first']);
    expect(suspects.next).toBe(mirror);
    suspects.drop(mirror);
    expect(suspects.next).toBe(peers);
    suspects.blame(['peers']);
    expect(suspects.next).toBeUndefined();
  });

  it('gives peers three tries who leave out those who lied', () => {
    const distrust = vi.fn();
    const suspects = new Suspects([source('peers', 'peers', distrust)]);
    for (let lie = 0; lie < 3; lie++) {
      expect(suspects.next).toBeDefined();
      suspects.blame(['peers']);
    }
    expect(suspects.next).toBeUndefined();
    expect(distrust).toHaveBeenCalledTimes(3);
  });
});
