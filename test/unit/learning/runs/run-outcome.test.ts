import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../src-main/learning/runs/run-outcome.ts';
import { DEFAULT_RUN } from '../../../../src-main/learning/runs/run-settings.ts';
import type { RunRow } from '../../../../src-main/store/learning/learning-runs.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say, sentence } from '../../../../src-preload/contract/saying.ts';

const row = (change: Partial<RunRow>): RunRow => ({
  ...{ id: 'r', name: 'personal', state: 'accepted', created_at: 1, started_at: 2, ended_at: 9, parent: null },
  ...{ version: null, objective: 'sdpo', why: null, settings: JSON.stringify(DEFAULT_RUN), step: 8, verdict: null },
  ...{ error: null, seconds: 12.5, watt_hours: null },
  ...change,
});
const step = (at: number, figures: object) => ({ run: 'r', step: at, figures: JSON.stringify(figures) });
const trained = { loss: 0.5, distillLoss: 0.4, klLoss: 0.1, gradNorm: 2, tokens: 30, seconds: 1, isRatio: 1.5 };

it('tells the last step by the names of CLaaS, and what all of them took', () => {
  const steps = [step(1, trained), step(2, { ...trained, loss: 0.25, clipFraction: 0, savingMs: 40 })];
  expect(outcomeOf(row({ version: 'personal-1' }), steps, ['newer', 'personal-1'])).toEqual({
    ...{ run: 'r', state: 'accepted', version: 'personal-1', trainingMs: 12_500, savingMs: 40 },
    figures: {
      ...{ total_loss: 0.25, distill_loss: 0.4, kl_reg: 0.1, grad_norm: 2, mean_is_ratio: 1.5, clip_fraction: 0 },
      ...{ tokens_processed: 60, steps: 2 },
    },
  });
});

it('says of what was learnt that it is not in use any more, where it was undone since', () => {
  const undone = (inUse: string[]) => outcomeOf(row({ version: 'personal-2' }), [], inUse);
  expect(undone(['personal-1'])).toMatchObject({
    ...{ state: 'rolled-back', version: 'personal-1' },
    reason: { key: 'learning.inUseNoMore', params: { version: 'personal-2' } },
  });
  expect(undone([])).toMatchObject({ state: 'rolled-back', version: null });
});

it('says why nothing came of it, and what answers all the same', () => {
  const reasons = [say('learning.cannot', { tried: 9, complied: 1, kept: 1 }), say('learning.serving')];
  const back = outcomeOf(
    row({ state: 'rolled-back', verdict: JSON.stringify({ accepted: false, reasons }) }),
    [],
    ['v1', 'older'],
  );
  expect(back).toMatchObject({ state: 'rolled-back', version: 'v1', reason: reasons[0], figures: {} });
  const error = new QuarryError({ code: 'OUT_OF_MEMORY', message: 'It does not fit.' });
  const failed = outcomeOf(row({ state: 'failed', error: JSON.stringify(error.toJSON()) }), [], []);
  expect([failed.version, sentence(failed.reason ?? '')]).toEqual([null, 'It does not fit.']);
  expect(outcomeOf(row({ state: 'cancelled' }), [], []).reason).toEqual({ key: 'learning.cancelled' });
  expect(() => outcomeOf(row({ state: 'training' }), [], [])).toThrow('has not ended');
});

it('tells what it can where what was written down is damaged', () => {
  const damaged = { state: 'rolled-back' as const, verdict: '{"reasons":' };
  expect(outcomeOf(row(damaged), [{ run: 'r', step: 1, figures: '{' }], [])).toMatchObject({
    ...{ reason: { key: 'learning.damagedRun' }, figures: {}, savingMs: 0 },
  });
  expect(sentence(outcomeOf(row({ state: 'failed', error: '{}' }), [], []).reason ?? '')).toMatch(/damaged/);
});
