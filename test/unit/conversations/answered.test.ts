import { expect, it } from 'vitest';
import { answeredLately } from '../../../src-main/conversations/answered.ts';
import type { Turn } from '../../../src-preload/contract/conversations.ts';

type Answer = NonNullable<Turn['answer']>;

const answer = (changes: Partial<Answer>): Answer => ({
  state: 'done',
  target: 'mesh',
  model: 'm',
  worker: null,
  tokens: 10,
  firstTokenMs: 100,
  totalMs: 1_000,
  tokensPerSecond: 20,
  paid: [],
  error: null,
  ...changes,
});

it('who answered is told by the middle of what they did, whole answers only', () => {
  const answers = [
    answer({ tokens: 300, firstTokenMs: 900 }),
    answer({ tokens: 100, firstTokenMs: 700 }),
    answer({ tokens: 200, firstTokenMs: 60_000, tokensPerSecond: 0 }),
    answer({ target: 'local', tokens: 7 }),
    answer({ model: 'other', tokensPerSecond: null }),
    answer({ state: 'failed', tokens: 9_999 }),
    answer({ state: 'stopped', tokens: 9_999 }),
    answer({ tokens: 0 }),
    answer({ model: null }),
  ];
  expect(answeredLately(answers)).toEqual([
    { target: 'mesh', model: 'm', answers: 3, tokens: 200, firstTokenMs: 900, tokensPerSecond: 20 },
    { target: 'local', model: 'm', answers: 1, tokens: 7, firstTokenMs: 100, tokensPerSecond: 20 },
    { target: 'mesh', model: 'other', answers: 1, tokens: 10, firstTokenMs: 100, tokensPerSecond: 0 },
  ]);
  expect(answeredLately([])).toEqual([]);
});
