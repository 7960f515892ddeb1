import { expect, it } from 'vitest';
import { CLAAS_TRAINING, wishedTraining } from '../../../../src-main/learning/feedback/client-training.ts';
import {
  DEFAULT_RUN,
  runSettingsSchema,
  trainerSettings,
  withWishes,
} from '../../../../src-main/learning/runs/run-settings.ts';
import { settingsSchema } from '../../../../src-main/learning/training/training-messages.ts';
import { wantedLearning } from '../../../../src-main/server/learning/shapes.ts';

const item = { lora_id: 'x', prompt: 'Why?', response: 'So.', feedback: 'Be brief.' };
/** What a client's request comes to. */
const wished = (training: object) => {
  const wanted = wantedLearning({ requests: [{ ...item, training }] }, undefined);
  return withWishes(DEFAULT_RUN, wishedTraining(wanted.training) ?? null);
};

it('keeps our settings where a client says what everybody gets, in its own words or by saying nothing', () => {
  expect(wished({})).toBe(DEFAULT_RUN);
  expect(wished({ learning_rate: 3e-5, alpha: 0.5, is_clip: 5, max_grad_norm: 1, teacher_top_k: 100 })).toBe(
    DEFAULT_RUN,
  );
  expect(wantedLearning({ requests: [item] }, undefined).training).toEqual(CLAAS_TRAINING);
});

it('takes what a client wishes otherwise, each by itself', () => {
  expect(wished({ learning_rate: 1e-4 })).toEqual({ ...DEFAULT_RUN, learningRate: 1e-4 });
  expect(wished({ is_clip: 7 })).toEqual({ ...DEFAULT_RUN, isClip: 7 });
  expect(wished({ max_grad_norm: 0 })).toEqual({ ...DEFAULT_RUN, maxGradNorm: 0 });
  expect(wished({ kl_reg_weight: 0.1 })).toEqual({ ...DEFAULT_RUN, klWeight: 0.1 });
  expect(wished({ teacher_top_k: 20 })).toEqual({ ...DEFAULT_RUN, teacherTop: 20 });
});

it('takes alpha as the mixture of SDPO, never as the scale of the adapter', () => {
  const settings = wished({ alpha: 0.9 });
  expect(settings).toEqual({ ...DEFAULT_RUN, objective: 'sdpo', mixture: 0.9 });
  expect(trainerSettings(settings, { saysNew: false })).toMatchObject({ mixture: 0.9, alpha: DEFAULT_RUN.alpha });
});

it.each([
  ['learning_rate', [5e-324, 1]],
  ['alpha', [5e-324, 1]],
  ['is_clip', [1, 20]],
  ['max_grad_norm', [0, 1e6]],
  ['kl_reg_weight', [0, 1]],
  ['teacher_top_k', [10, 100]],
])('what a client may wish as %s, a run may be kept with, and the trainer takes', (field, edges) => {
  for (const edge of edges) {
    const settings = runSettingsSchema.parse(wished({ [field]: edge }));
    settingsSchema.parse(trainerSettings(settings, { saysNew: false }));
  }
});

it('learns also what waits with a wish that an older version took', () => {
  expect(withWishes(DEFAULT_RUN, '{"maxGradNorm":1e9}')).toEqual({ ...DEFAULT_RUN, maxGradNorm: 1e6 });
});

it('knows the settings of a run that an older version began', () => {
  const { teacherTop: _, ...older } = DEFAULT_RUN;
  expect(runSettingsSchema.parse(older)).toEqual(DEFAULT_RUN);
});
