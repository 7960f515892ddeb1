import { expect, it } from 'vitest';
import { matrixName } from '../../../../src-main/learning/formats/lora-adapter.ts';
import { newAdapter } from '../../../../src-main/learning/formats/new-adapter.ts';
import { checkProportion } from '../../../../src-main/learning/formats/proportion.ts';
import { newState } from '../../../../src-main/learning/training/adapter/adam-w.ts';
import { isReachable } from '../../../../src-main/learning/training/adapter/reachable-state.ts';

/** One matrix, as a model of 7 billion parameters has them. */
const SIZES = { in: 4_096, out: 11_008 };
const base = {
  architecture: 'llama',
  layers: 1,
  heads: 32,
  kvHeads: 32,
  sizes: new Map([[matrixName(0, 'up_proj'), SIZES]]),
};

/** Always over: counts how often others would get a turn. */
function countedTurns() {
  return {
    turns: 0,
    isOver: true,
    async next() {
      this.turns++;
    },
  };
}

it.each([
  ['whether it is within reason', (adapter: Adapter, slices: Turns) => checkProportion(adapter, slices)],
  ['what an optimizer knows of it', (adapter: Adapter, slices: Turns) => isReachable(newState(adapter), slices)],
] as const)('others get a turn within each matrix of a large adapter: %s', async (_, look) => {
  const perTurn: number[] = [];
  for (const rank of [16, 64]) {
    const slices = countedTurns();
    await look(await newAdapter(base, { rank, alpha: rank }, () => 0.5), slices);
    perTurn.push((rank * (SIZES.in + SIZES.out)) / slices.turns);
  }
  expect(Math.max(...perTurn)).toBeLessThan(1 << 17);
});

type Adapter = Awaited<ReturnType<typeof newAdapter>>;
type Turns = ReturnType<typeof countedTurns>;
