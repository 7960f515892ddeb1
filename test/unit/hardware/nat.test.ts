import { describe, expect, it } from 'vitest';
import { classifyNat } from '../../../src-main/hardware/nat.ts';

const seen = (...ports: number[]) => ports.map((port) => ({ host: '203.0.113.9', port }));
const ownHosts = ['127.0.0.1', '192.168.1.5'];

describe('classifyNat', () => {
  it.each([
    ['nobody answers', [], false, 'unknown'],
    ['strangers get through', seen(4_000, 4_000), true, 'open'],
    ['all see the same address', seen(4_000, 4_000, 4_000), false, 'consistent'],
    ['all see other ports', seen(4_000, 4_001, 4_002), false, 'random'],
    ['one of many sees another port', seen(4_000, 4_000, 4_001), false, 'random'],
    ['they see different hosts', [...seen(4_000), { host: '198.51.100.1', port: 4_000 }], false, 'random'],
    ['one alone answers', seen(4_000), false, 'unknown'],
    ['they see one of our own addresses', [{ host: '192.168.1.5', port: 4_000 }], false, 'open'],
  ])('when %s', (_, seenAs, reachable, kind) => {
    expect(classifyNat({ seenAs, reachable, ownHosts })).toBe(kind);
  });
});
