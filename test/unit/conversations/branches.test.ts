import { describe, expect, it } from 'vitest';
import { branchOf, newestLeaf } from '../../../src-main/conversations/branches.ts';
import type { StoredTurn } from '../../../src-main/store/conversations/conversations.ts';

/** Turns by their ids: `[id, parent]`. */
const turns = (...placed: [id: number, parent: number | null][]): StoredTurn[] =>
  placed.map(([id, parent]) => ({ id, parent, role: 'user', text: `#${id}`, at: 1, answer: null }));

const TREE = turns([1, null], [2, 1], [3, 2], [4, 3], [5, 2], [6, 5], [7, null], [8, 7], [9, 1]);
const ids = (leaf: number | null, tree = TREE) => branchOf(tree, leaf).map(({ id }) => id);

describe('a branch', () => {
  it('goes from the first turn to its leaf, each with what stands beside it', () => {
    expect(ids(4)).toEqual([1, 2, 3, 4]);
    expect(ids(8)).toEqual([7, 8]);
    expect(branchOf(TREE, 6).map(({ versions }) => versions)).toEqual([[1, 7], [2, 9], [3, 5], undefined]);
  });

  it('is the newest where its leaf is gone, and empty where nothing is', () => {
    expect(ids(null)).toEqual([1, 9]);
    expect(ids(99)).toEqual([1, 9]);
    expect(ids(1, [])).toEqual([]);
  });

  it('ends where a damaged row would lead round in a circle', () => {
    expect(ids(2, turns([1, 2], [2, 1]))).toEqual([1, 2]);
    expect(newestLeaf(turns([1, 2], [2, 1], [3, 3]), 1)).toBe(2);
  });

  it('is followed to its newest end', () => {
    expect([1, 2, 3, 7, 8].map((id) => newestLeaf(TREE, id))).toEqual([9, 6, 4, 8, 8]);
  });
});
