import { expect, it } from 'vitest';
import { CONCISE } from '../../../../src-main/learning/evaluation/prompts/concise.ts';
import { IDENTITY } from '../../../../src-main/learning/evaluation/prompts/identity.ts';
import { NO_EMOJI } from '../../../../src-main/learning/evaluation/prompts/no-emoji.ts';
import { leaksOf } from '../../../support/learning/leaks-of.ts';

it.each(Object.entries({ NO_EMOJI, CONCISE, IDENTITY }))('%s: enough questions, and none on both sides', (_, set) => {
  expect(set.training.length).toBeGreaterThanOrEqual(12);
  expect(set.heldOut.length).toBeGreaterThanOrEqual(20);
  expect(leaksOf(set)).toEqual([]);
  expect(new Set([...set.training, ...set.heldOut]).size).toBe(set.training.length + set.heldOut.length);
});

it('a leak is found, also a paraphrased one', () => {
  expect(leaksOf({ training: ['Why is the sky blue?'], heldOut: ['why is the sky so blue'] })).toHaveLength(1);
});
