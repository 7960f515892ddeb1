import { describe, expect, it } from 'vitest';
import { type AdamWState, newState } from '../../../../src-main/learning/training/adapter/adam-w.ts';
import { onPage } from '../../../../src-main/learning/training/child/computing.ts';
import type { OpenModel } from '../../../../src-main/learning/training/open-model.ts';
import { PageTraining } from '../../../../src-main/learning/training/page/page-training.ts';
import type { TrainerSettings } from '../../../../src-main/learning/training/trainer.ts';
import { madeAdapter, smallBase } from '../../../support/made-adapter.ts';

const base = smallBase();
const adapter = madeAdapter(base);
const model = { base, adapter, state: newState(adapter) } as OpenModel;
const device = { name: 'acme one', isSoftware: false, flops: 1 };

/** With a page that answers so, by what it is asked; a QuarryError's data is what it fails with. */
function pageThat(answers: Record<string, unknown>): PageTraining {
  let hear: (message: unknown) => void = () => undefined;
  return new PageTraining({
    send(message) {
      const { id, name } = message as { id: number; name: string };
      const value = answers[name];
      const isFailure = typeof value === 'object' && value !== null && 'code' in value;
      const said = isFailure ? { type: 'failure', failure: value } : { type: 'answer', value };
      setImmediate(() => hear({ id, ...said }));
    },
    onMessage: (listener) => {
      hear = listener;
    },
    onClose: () => undefined,
  });
}

const opened = (answers: Record<string, unknown>) =>
  onPage(pageThat(answers), model, {} as TrainerSettings, { weights: true, passed: true });

describe('a page that trains', () => {
  it.each([
    { begin: { code: 'UNSUPPORTED', message: 'No WebGPU.' } },
    { begin: device, open: { code: 'INTERNAL', message: 'It broke.' } },
    { begin: 'nonsense' },
  ])('is lost where it was found good and does not take the model: %j', async (answers) => {
    await expect(opened(answers)).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
  });

  it.each<[string, (state: AdamWState) => void]>([
    ['squares below 0', ({ squares }) => first(squares).b.fill(-1)],
    ['means that no such squares have', ({ means }) => first(means).b.fill(1e38)],
    ['no numbers', ({ means }) => first(means).a.fill(Number.NaN)],
  ])('is lost where its optimizer has %s', async (_, poison) => {
    const state = structuredClone({ ...newState(adapter), steps: 5 });
    const page = await opened({ begin: device, saved: { adapter, state } });
    expect((await page.saved()).state.steps).toBe(5);
    poison(state);
    await expect(page.saved()).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
  });
});

function first({ matrices }: AdamWState['means']) {
  const [matrix] = matrices.values();
  if (!matrix) throw new Error('There is none.');
  return matrix;
}
