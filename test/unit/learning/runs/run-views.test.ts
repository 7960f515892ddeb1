import { expect, it } from 'vitest';
import { runDetails } from '../../../../src-main/learning/runs/run-views.ts';
import type { RunRow } from '../../../../src-main/store/learning-runs.ts';
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
