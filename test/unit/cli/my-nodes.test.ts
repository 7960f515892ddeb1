import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { nodesTable } from '../../../src-main/cli/my-nodes.ts';
import type { FleetNode } from '../../../src-preload/contract/fleet.ts';

const NOW = Date.now();
const HOUR = 3_600_000;

function node(name: string, more: Partial<FleetNode> = {}): FleetNode {
  const common = { self: false, online: false, mayControlThis: false, controllable: false };
  return { ...common, id: '0123456789abcdef'.repeat(4), name, ...more };
}

function seen(one: FleetNode): string | undefined {
  return stripVTControlCharacters(nodesTable([one]))
    .split('\n')[1]
    ?.trim()
    .split(/ {2,}/)
    .at(-1);
}

it.each([
  [{ online: true, self: true }, 'now'],
  [{}, 'never'],
  [{ seenAt: NOW - 5 * 60_000 }, '5 min ago'],
  [{ seenAt: NOW - 3 * HOUR }, '3.0 h ago'],
  [{ seenAt: NOW - 80 * HOUR }, '3 days ago'],
  [{ seenAt: NOW + HOUR }, '0 ms ago'],
] as const)('a node that is %o was seen: %s', (more, text) => {
  expect(seen(node('PC', more))).toBe(text);
});

it('says which one is this node, and of one that has told nothing nothing', () => {
  const text = stripVTControlCharacters(nodesTable([node('PC', { self: true, online: true })]));
  expect(text.split('\n')[1]).toMatch(/^PC \(this node\) +0123 4567 89ab cdef +– +– +– +– +– +– +now *$/);
});
