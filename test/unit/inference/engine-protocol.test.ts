import { expect, it } from 'vitest';
import { childMessageSchema } from '../../../src-main/inference/engine-protocol.ts';
import { type Saying, say, sentence } from '../../../src-preload/contract/saying.ts';

function failure(message: Saying) {
  return { type: 'load-failed', error: { code: 'INTERNAL', message: 'It failed.', said: { message } } };
}

function nested(levels: number): Saying {
  let saying: Saying = say('child.nonsense');
  for (let level = 0; level < levels; level++) saying = say('child.lastWords', { how: saying, words: 'last' });
  return saying;
}

it('takes sentences that are parts of others, and words them', () => {
  const message = nested(3);
  expect(childMessageSchema.parse(failure(message))).toEqual(failure(message));
  expect(sentence(message)).toContain('something that it should not');
});

it.each([100, 1_500, 100_000])('refuses %d sentences inside each other, which nobody could word', (levels) => {
  expect(childMessageSchema.safeParse(failure(nested(levels))).success).toBe(false);
});
