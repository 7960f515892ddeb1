import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import { type AdamWState, adamW, newState } from '../../../../src-main/learning/training/adapter/adam-w.ts';
import { readOptimizer, writeOptimizer } from '../../../../src-main/learning/training/adapter/optimizer-file.ts';
import { madeAdapter, smallBase } from '../../../support/made-adapter.ts';

const adapter = madeAdapter(smallBase());

async function readAgain(state: AdamWState): Promise<AdamWState> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-optimizer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'optimizer.safetensors');
  await writeOptimizer(path, state);
  return await readOptimizer(path, adapter);
}

/** Gradients of every size that single precision has, in bursts and after long silence. */
function stepped(steps: number): AdamWState {
  const { normal } = seededRandom(3);
  const state = newState(adapter);
  const learnt = structuredClone(adapter);
  for (let step = 0; step < steps; step++) {
    const gradients = structuredClone(adapter);
    for (const { a, b } of gradients.matrices.values()) {
      for (const values of [a, b]) {
        for (let at = 0; at < values.length; at++) {
          const isSilent = (step + at) % 5 > 1;
          values[at] = isSilent ? 0 : normal() * 10 ** ((at % 40) - 28);
        }
      }
    }
    adamW(learnt, state, gradients, { learningRate: 1e-3, weightDecay: 0, maxGradNorm: 0 });
  }
  return state;
}

it('keeps whatever its own steps come to', async () => {
  for (const steps of [0, 1, 2, 40]) {
    const state = stepped(steps);
    expect(await readAgain(state)).toEqual(state);
  }
});

it.each<[string, number, number]>([
  ['squares below 0', 0, -1e-20],
  ['means that no such squares have', 1e38, 0],
  ['means a little too large for their squares', 0.011, 1e-6],
])('refuses what no steps come to: %s', async (_, mean, square) => {
  for (const part of ['a', 'b'] as const) {
    const state = newState(adapter);
    const name = [...adapter.matrices.keys()].at(-1) ?? '';
    state.means.matrices.get(name)?.[part].fill(mean, 5, 6);
    state.squares.matrices.get(name)?.[part].fill(square, 5, 6);
    await expect(readAgain(state)).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
  }
});
