import type { Token } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { commonPrefix, SequencePool } from '../../../../src-main/inference/child/sequence-pool.ts';

const tokens = (...ids: number[]) => ids as Token[];

/** A pool whose sequences hold what they are given, and were last used in that order. */
function poolWith(...contents: Token[][]): SequencePool {
  const pool = new SequencePool(contents.length);
  for (const content of contents) pool.acquire(tokens(-1))?.sequence.tokens.push(...content);
  for (const sequence of pool.sequences) pool.release(sequence);
  return pool;
}

describe('SequencePool', () => {
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

describe('commonPrefix', () => {
  it('counts equal tokens from the beginning', () => {
    expect(commonPrefix(tokens(1, 2, 3), tokens(1, 2, 4))).toBe(2);
    expect(commonPrefix(tokens(1, 2), tokens(1, 2, 4))).toBe(2);
    expect(commonPrefix(tokens(), tokens(1))).toBe(0);
  });
});
