import type { Token } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import type { AdapterWeights } from '../../../../../src-main/inference/child/loop/addon.ts';
import { type Sequence, SequencePool } from '../../../../../src-main/inference/child/loop/sequence-pool.ts';

const tokens = (...ids: number[]) => ids as Token[];

/** A pool whose sequences hold what they are given, and were last used in that order. */
function poolWith(...contents: Token[][]): SequencePool {
  const pool = new SequencePool(contents.length);
  for (const content of contents) pool.acquire(tokens(-1))?.sequence.tokens.push(...content);
  for (const sequence of pool.sequences) pool.release(sequence);
  return pool;
}

describe('SequencePool', () => {
  it('gives nobody what was evaluated for another asker', () => {
    const pool = new SequencePool(2);
    const { sequence } = pool.acquire(tokens(1, 2, 3), { asker: 'a' })!;
    pool.give(sequence, { asker: 'a' });
    sequence.tokens.push(...tokens(1, 2, 3));
    for (const whose of [{}, { asker: 'b' }]) expect(pool.holder(tokens(1, 2, 3), whose)).toBeUndefined();
    expect(pool.holder(tokens(1, 2, 3), { asker: 'a' })).toMatchObject({ common: 3 });
    pool.release(sequence);
    expect(pool.acquire(tokens(1, 2, 3), { asker: 'a' })).toMatchObject({ common: 3 });
    expect(pool.acquire(tokens(1, 2, 3))).toMatchObject({ common: 0 });
  });

  it('chooses the sequence with the longest common prefix', () => {
    const pool = poolWith(tokens(1, 2, 3), tokens(1, 2, 3, 4, 9), tokens(7));
    const { sequence, common } = pool.acquire(tokens(1, 2, 3, 4, 5))!;
    expect([sequence.id, common]).toEqual([1, 4]);
  });

  it('never gives a sequence to two at a time', () => {
    const pool = poolWith(tokens(1, 2, 3), tokens(8));
    expect(pool.acquire(tokens(1, 2, 3))?.sequence.id).toBe(0);
    expect(pool.acquire(tokens(1, 2, 3))?.sequence.id).toBe(1);
    expect(pool.acquire(tokens(1, 2, 3))).toBeUndefined();
    expect(pool.hasFree).toBe(false);
  });

  it('without a common prefix chooses the least recently used', () => {
    const pool = poolWith(tokens(1), tokens(2), tokens(3));
    pool.release(pool.acquire(tokens(1, 1))!.sequence);
    expect(pool.acquire(tokens(9))?.sequence.id).toBe(1);
  });

  it('does not take another conversation’s place for a few tokens of the template', () => {
    const pool = poolWith(tokens(5), tokens(1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2));
    const prompt = tokens(1, ...Array.from({ length: 20 }, () => 3));
    expect(pool.acquire(prompt)?.sequence.id).toBe(0);
  });

  it('chooses one beside those in use rather than the least recently used', () => {
    const pool = poolWith(tokens(1), tokens(2), tokens(3), tokens(4));
    pool.acquire(tokens(3, 3));
    expect(pool.acquire(tokens(9))?.sequence.id).toBe(1);
    expect(pool.acquire(tokens(9))?.sequence.id).toBe(0);
  });

  it('leaves no gap between those in use, however requests come and go', () => {
    const pool = new SequencePool(8);
    const inUse = Array.from({ length: 4 }, () => pool.acquire(tokens(1))!.sequence);
    for (let request = 0; request < 100; request++) {
      const [oldest] = inUse.splice(0, 1);
      pool.release(oldest!);
      inUse.push(pool.acquire(tokens(9))!.sequence);
      const ids = inUse.map(({ id }) => id).sort();
      expect(ids.at(-1)! - ids[0]!).toBe(3);
    }
  });
});

describe('adapters in a SequencePool', () => {
  const [A, B] = ['a', 'b'].map((filePath): AdapterWeights => ({ filePath, dispose: async () => undefined }));

  it('find no beginning that was evaluated with another', () => {
    const pool = poolWith(tokens(1, 2), tokens(1, 2, 3), tokens(7));
    pool.sequences[1]!.adapter = A;
    expect(pool.acquire(tokens(1, 2, 3), { adapter: B })).toMatchObject({ common: 0 });
    expect(pool.acquire(tokens(1, 2, 3), { adapter: A })).toMatchObject({ sequence: { id: 1 }, common: 3 });
  });

  it('stand beside their like, however requests come and go', () => {
    const pool = new SequencePool(8);
    const inUse: { sequence: Sequence; adapter: AdapterWeights | undefined }[] = [];
    const enter = (adapter: AdapterWeights | undefined) => {
      const { sequence } = pool.acquire(tokens(1), { adapter })!;
      sequence.adapter = adapter;
      inUse.push({ sequence, adapter });
    };
    for (const adapter of [undefined, A, undefined, A, undefined, A]) enter(adapter);
    for (let request = 0; request < 60; request++) {
      for (const each of [undefined, A]) {
        const ids = inUse.filter(({ adapter }) => adapter === each).map(({ sequence }) => sequence.id);
        expect(Math.max(...ids) - Math.min(...ids)).toBe(2);
      }
      const [oldest] = inUse.splice(0, 1);
      pool.release(oldest!.sequence);
      enter(oldest!.adapter);
    }
  });
});

it('a pool knows who has most of a prompt, in use or not', () => {
  const pool = poolWith(tokens(1, 2, 3), tokens(1, 2, 3, 4, 9), tokens(7));
  pool.acquire(tokens(1, 2, 3, 4, 9));
  expect(pool.holder(tokens(1, 2, 3, 4, 5))).toMatchObject({ sequence: { id: 1 }, common: 4 });
  expect(pool.holder(tokens(8))).toBeUndefined();
  expect(pool.holder(tokens(1), { adapter: {} as AdapterWeights })).toBeUndefined();
});
