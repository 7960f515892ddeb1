import { expect, it } from 'vitest';
import { runDetails, runView } from '../../../../src-main/learning/runs/run-views.ts';
import type { RunRow } from '../../../../src-main/store/learning/learning-runs.ts';
import { learningRunDetailsSchema } from '../../../../src-preload/contract/learning-runs.ts';
import { say } from '../../../../src-preload/contract/saying.ts';

const ROW: RunRow = {
  ...{ id: '00000000000000a1', name: 'personal', state: 'accepted', created_at: 1, started_at: 2, ended_at: 3 },
  ...{ parent: null, version: 'personal-1', objective: 'distillation', why: null, settings: '{"steps":8}', step: 2 },
  ...{ verdict: null, error: null, seconds: 5, watt_hours: null },
};
const step = (at: number, figures: object) => ({ run: ROW.id, step: at, figures: JSON.stringify(figures) });

it('a run says what computed it: the last step that counts, if one says so', () => {
  const onGpu = step(1, { loss: 2, computes: say('training.byGpu', { name: 'acme one' }) });
  const why = say('training.gpuFailed', { why: 'lost' });
  const onProcessor = step(2, { loss: 1, computes: say('training.byProcessorFor', { why }) });
  const computed = (...steps: (typeof onGpu)[]) => runDetails(ROW, [], steps).computed?.text;
  expect(computed(onGpu)).toBe('Computed by the GPU acme one.');
  expect(computed(onGpu, onProcessor)).toBe('Computed by the processor. The GPU failed: lost');
  expect(computed(onGpu, { ...onProcessor, step: 3 })).toBe('Computed by the GPU acme one.');
  expect(computed(step(1, { loss: 2 }))).toBeUndefined();
});

it('shows what it can of a run of which something is damaged, and says so', () => {
  const unknown = { state: 'melted' as 'failed', objective: 'x' as 'sdpo' };
  const damaged = { verdict: '{"reasons":[', error: '{}', why: '"', settings: '[', ...unknown };
  const view = runDetails({ ...ROW, ...damaged }, [], [{ run: ROW.id, step: 1, figures: '{"loss":"much"}' }]);
  expect(learningRunDetailsSchema.safeParse(view).error).toBeUndefined();
  expect(view).toMatchObject({
    ...{ state: 'failed', objective: null, why: null, steps: 2, curve: [{ step: 1 }], before: null, shown: null },
    error: { code: 'INTERNAL', message: 'What was written down of this run is damaged.' },
  });
  expect(view.reasons.map(({ text }) => text)).toEqual(['What was written down of this run is damaged.']);
  const { verdict: _, ...listed } = { ...ROW, ...damaged };
  expect(runView({ ...listed, reasons: damaged.verdict }, []).reasons).toEqual(view.reasons);
});

it('shows what a look found, also where an older version kept the answers with it', () => {
  const older = { compliance: { scores: [1], passes: [true], mean: 1, answers: [{ text: 'Yes.' }] }, answers: {} };
  const measured = {
    ...older,
    passes: [true, false],
    capability: { 'fact: a': 1 },
    margins: [{ sum: 4, perToken: 2 }],
  };
  const verdict = JSON.stringify({
    accepted: true,
    reasons: [say('learning.noRun')],
    before: measured,
    after: measured,
  });
  const view = runDetails({ ...ROW, verdict }, [], [step(1, { quick: measured, loss: 1 })]);
  expect(view.after).toEqual({ compliance: 0.5, capability: 1, margin: 2, marginSum: 4 });
  expect(view.curve).toMatchObject([
    { step: 0, compliance: 0.5 },
    { step: 1, loss: 1, compliance: 0.5 },
  ]);
});

it('shows beside what it was before how a run goes that is not over, and what looks in full found', () => {
  const collapse = { entropy: 2, selfRouge: 0.5, meanLogprob: -1, words: 10, sentences: 1 };
  const measured = (entropy: number, passes: boolean[]) => ({
    ...{ passes, capability: { 'fact: a': 1, 'fact: b': 0 }, margins: [], collapse: { ...collapse, entropy } },
  });
  const going = { ...ROW, state: 'training', ended_at: null, version: null } as const;
  const refused = [say('evaluation.gate.factsLost', { before: 28, after: 25, of: 32 })];
  const look = step(4, { quick: measured(2, [true]), full: measured(1, [true, false]), reasons: refused });
  const { curve, before } = runDetails(going, [], [step(0, { full: measured(2, [false]) }), look]);
  expect(before).toMatchObject({ compliance: 0, entropyRatio: 1, drift: 0 });
  expect(curve).toMatchObject([{ step: 0 }, { step: 4, compliance: 1, entropyRatio: 1 }]);
  expect(curve[1]?.full).toMatchObject({ compliance: 0.5, capability: 0.5 });
  expect(curve[1]?.full?.reasons[0]?.text).toContain('25');
  const [alone] = runDetails(going, [], [look]).curve;
  expect(alone).not.toHaveProperty('entropyRatio'); // beside what would it be?
});
