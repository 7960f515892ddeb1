import { expect, it } from 'vitest';
import { checkSamples, type Sample } from '../../../../../src-main/learning/training/torch/sample-file.ts';

const place = { tokens: [1, 2], logprobs: [-0.1, -3] };
const SOUND: Sample = { prompt: [1, 2], response: [3, 0], teacher: [place, place], old: [-1, -2], base: [-1, -2] };

it('takes samples that hang together', () => {
  expect(() => checkSamples([SOUND, { prompt: [1], response: [2] }], 4)).not.toThrow();
});

it.each<[string, Partial<Sample>]>([
  ['no prompt', { prompt: [] }],
  ['no response', { response: [] }],
  ['a token beyond the vocabulary', { response: [3, 4] }],
  ['half a token', { prompt: [0.5] }],
  ['a token below 0', { prompt: [-1] }],
  ['a teacher of another length', { teacher: [place] }],
  ['a teacher without words', { teacher: [place, { tokens: [], logprobs: [] }] }],
  ['a teacher with a token too many', { teacher: [place, { tokens: [1, 2], logprobs: [-1] }] }],
  ['a teacher of another vocabulary', { teacher: [place, { tokens: [1, 9], logprobs: [-1, -1] }] }],
  ['probabilities that are none', { old: [-1, Number.NaN] }],
  ['too few probabilities', { base: [-1] }],
])('refuses %s', (_, fault) => {
  expect(() => checkSamples([{ ...SOUND, ...fault }], 4)).toThrow('cannot be learnt from');
});

it('refuses none', () => {
  expect(() => checkSamples([], 4)).toThrow('cannot be learnt from');
});
