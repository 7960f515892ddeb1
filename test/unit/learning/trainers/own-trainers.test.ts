import { expect, it } from 'vitest';
import { memoryLimit } from '../../../../src-main/learning/learning-settings.ts';
import { OwnTrainers } from '../../../../src-main/learning/trainers/own-trainers.ts';
import { ScriptedTrainer } from '../../../support/learning/scripted-trainer.ts';

it('every trainer gets the very bytes that are set, a megabyte as in all settings', async () => {
  const limits: unknown[] = [];
  let isForGpus = false;
  const made = async (...limit: unknown[]) => {
    limits.push(limit.at(-1));
    return new ScriptedTrainer();
  };
  const own = new OwnTrainers({
    torch: {
      isReady: async () => true,
      isForGpus: async () => isForGpus,
      forecast: async (_, limit) => ({ memory: limits.push(limit), secondsPerStep: () => 1 }),
      trainer: made as never,
    },
    here: { create: made },
    memoryLimit: () => memoryLimit({ memoryMb: 2_000 }),
  });
  await own.create('here', '/work');
  await own.create('torch', '/work');
  await own.forecast('torch', { modelPath: '/m', settings: {} as never });
  limits.push(await own.memoryLimit('here'), await own.memoryLimit('torch'));
  expect(limits).toEqual(Array(5).fill(2_000_000_000));
  isForGpus = true;
  expect(await own.memoryLimit('torch')).toBe(Number.POSITIVE_INFINITY);
});
