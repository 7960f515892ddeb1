import { expect, it } from 'vitest';
import { checkSamples, checkScored } from '../../../../../src-main/learning/training/torch/check-samples.ts';
import type { TrainingSample } from '../../../../../src-main/learning/training/trainer.ts';

const RULES = { settings: { objective: 'sdpo', klWeight: 0 }, vocabulary: 4, longest: 4 } as const;
const place = { tokens: [1, 2], logprobs: [-0.1, -3] };
const SOUND: TrainingSample = {
  ...{ prompt: [1, 2], response: [3, 0], teacher: [place, place], old: [-1, -2], base: [-1, -2] },
};

it('takes samples that hang together', () => {
  expect(() => checkSamples([SOUND, SOUND], RULES)).not.toThrow();
  expect(() => checkScored({ prompt: [1], response: [2] }, RULES)).not.toThrow();
});

it.each<[string, Partial<TrainingSample>, string]>([
  ['no prompt', { prompt: [] }, 'not sound'],
  ['no response', { response: [], teacher: [], old: [], base: [] }, 'not sound'],
  ['a token beyond the vocabulary', { response: [3, 4] }, 'it has 4'],
  ['half a token', { prompt: [0.5] }, 'not sound'],
  ['a teacher of another length', { teacher: [place] }, 'not sound'],
  ['a teacher of another vocabulary', { teacher: [place, { tokens: [1, 9], logprobs: [-1, -1] }] }, 'it has 4'],
  ['too few probabilities', { base: [-1] }, 'not sound'],
  ['too many tokens', { prompt: [1, 1, 1] }, '4 at the most'],
])('refuses %s', (_, fault, why) => {
  expect(() => checkSamples([{ ...SOUND, ...fault }], RULES)).toThrow(why);
});

it('refuses none, and too many', () => {
  expect(() => checkSamples([], RULES)).toThrow('not sound');
  expect(() => checkSamples(Array(65).fill(SOUND), RULES)).toThrow('not sound');
  expect(() => checkScored({ prompt: [], response: [1] }, RULES)).toThrow('not sound');
});
