import { describe, expect, it } from 'vitest';
import { type ByteSource, SourceError } from '../../../../src-main/models/downloads/byte-source.ts';
import { SourceRing } from '../../../../src-main/models/downloads/sources.ts';

const lost = new SourceError('lost', 'the line broke');

function source(name: string, kind: ByteSource['kind'] = 'http'): ByteSource {
  return {
    name,
    kind,
    parallel: 1,
    open: async () => ({}),
    read: async function* () {},
    close: async () => {},
  };
}

function ringOf(...sources: ByteSource[]) {
  const clock = { now: 0 };
  const ring = new SourceRing(sources, { now: () => clock.now, random: () => 1, attempts: 4, restMs: 1_000 });
  return { ring, clock };
}

describe('SourceRing', () => {
  it('asks a source that failed once again, at once', () => {
    const [first, mirror] = [source('first'), source('mirror')];
    const { ring } = ringOf(first, mirror);
    ring.failed(first, lost, false);
    expect(ring.next()).toEqual({ source: first, waitMs: 0 });
  });

  it('has peers rest who had nothing, and asks those once again who gave something', () => {
    const [peers, web] = [source('peers', 'peers'), source('web')];
    const { ring, clock } = ringOf(peers, web);
    ring.failed(peers, lost, false);
    expect(ring.next()).toEqual({ source: web, waitMs: 0 });
    clock.now = 1_001;
    ring.progressed();
    ring.failed(peers, lost, true);
    expect(ring.next()).toEqual({ source: peers, waitMs: 0 });
  });

  it('leaves a source that stays bad for the next, and comes back to it', () => {
    const [first, mirror] = [source('first'), source('mirror')];
    const { ring, clock } = ringOf(first, mirror);
    ring.failed(first, lost, false);
    ring.failed(first, lost, false);
    expect(ring.next()).toEqual({ source: mirror, waitMs: 0 });
    ring.progressed();
    clock.now = 1_001;
    ring.failed(mirror, lost, false);
    expect(ring.next()).toEqual({ source: first, waitMs: 0 });
  });

  it('rests twice as long each time, and gives up in the end', () => {
    const only = source('only');
    const { ring, clock } = ringOf(only);
    const waits: (number | undefined)[] = [];
    for (let failure = 0; failure < 4; failure++) {
      ring.failed(only, lost, false);
      waits.push(ring.next()?.waitMs);
      clock.now += waits.at(-1) ?? 0;
    }
    expect(waits).toEqual([0, 1_000, 2_000, undefined]);
  });

  it('leaves a busy source alone for as long as it asks', () => {
    const only = source('only');
    const { ring } = ringOf(only);
    ring.failed(only, new SourceError('busy', 'later', { retryAfterMs: 30_000 }), false);
    expect(ring.next()?.waitMs).toBe(30_000);
  });

  it('never asks again where the file is not to be had', () => {
    const [first, mirror] = [source('first'), source('mirror')];
    const { ring } = ringOf(first, mirror);
    ring.failed(first, new SourceError('gone', 'no such file'), false);
    expect(ring.next()?.source).toBe(mirror);
    ring.failed(mirror, new SourceError('gone', 'no such file'), false);
    expect(ring.next()).toBeUndefined();
  });

  it('gives those who failed another chance once bytes came', () => {
    const [first, mirror] = [source('first'), source('mirror')];
    const { ring, clock } = ringOf(first, mirror);
    for (let failure = 0; failure < 4; failure++) ring.failed(first, lost, false);
    ring.progressed();
    clock.now = 60_000;
    expect(ring.next()?.source).toBe(first);
  });
});
