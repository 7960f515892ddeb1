import { describe, expect, it } from 'vitest';
import { AdapterTurns } from '../../../../../src-main/inference/child/loop/adapter-turns.ts';
import type { AdapterWeights } from '../../../../../src-main/inference/child/loop/addon.ts';

const adapter = (filePath: string): AdapterWeights => ({ filePath, dispose: async () => undefined });
const [A, B, C] = [adapter('a'), adapter('b'), adapter('c')];

/** Whose turns there are while these want something, each round being so long. */
function turns(
  present: readonly (AdapterWeights | undefined)[],
  rounds: number,
  roundMs: number,
  own = new AdapterTurns(),
) {
  return Array.from({ length: rounds }, (_, round) => own.next(new Set(present), round * roundMs).adapter);
}

describe('AdapterTurns', () => {
  it('leaves it to who is alone, however long', () => {
    expect(new Set(turns([A], 100, 50))).toEqual(new Set([A]));
    expect(new Set(turns([undefined], 100, 50))).toEqual(new Set([undefined]));
  });

  it('gives each the same time, and changes over no oftener than it has to', () => {
    const seen = turns([undefined, A, B], 120, 25);
    for (const each of [undefined, A, B]) expect(seen.filter((it) => it === each)).toHaveLength(40);
    const changes = seen.filter((it, round) => round > 0 && it !== seen[round - 1]).length;
    expect(changes).toBe(120 / 4 - 1);
  });

  it('gives each a round where rounds are long', () => {
    expect(turns([A, B, C], 6, 400)).toEqual([A, B, C, A, B, C]);
  });

  it('lets who comes wait behind those who wait already, for one turn of each', () => {
    const own = new AdapterTurns();
    expect(turns([A, B], 1, 0, own)).toEqual([A]);
    expect(turns([A, C, B], 8, 100, own).slice(1, 5)).toEqual([B, C, A, B]);
  });

  it('goes on at once where who had the turn wants nothing more', () => {
    const own = new AdapterTurns();
    expect(own.next(new Set([A, B]), 0).adapter).toBe(A);
    expect(own.next(new Set([B]), 1).adapter).toBe(B);
    expect(own.next(new Set([B, A]), 2).adapter).toBe(B);
  });

  it('remembers for each what its last batch was', () => {
    const own = new AdapterTurns();
    own.next(new Set([A, B]), 0).kind = 'prompt';
    expect(own.next(new Set([A, B]), 200)).toMatchObject({ adapter: B, kind: 'decode' });
    expect(own.next(new Set([A, B]), 400)).toMatchObject({ adapter: A, kind: 'prompt' });
  });

  it('is the model’s own turn where nobody wants anything', () => {
    expect(new AdapterTurns().next(new Set(), 0).adapter).toBeUndefined();
  });
});
