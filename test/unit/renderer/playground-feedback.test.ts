import { describe, expect, it } from 'vitest';
import type { Turn } from '../../../src-preload/contract/conversations.ts';
import { isOwnAnswer, whyNotKept } from '../../../src-renderer/pages/playground/feedback/not-kept.ts';

type Answer = NonNullable<Turn['answer']>;

function answered(more: Partial<Answer> = {}): Pick<Turn, 'role' | 'text' | 'answer'> {
  return {
    role: 'assistant',
    text: 'A mesh.',
    answer: {
      ...{ state: 'done', target: 'local', model: null, worker: null, tokens: 2, firstTokenMs: 1, totalMs: 2 },
      ...{ tokensPerSecond: null, paid: [], error: null },
      ...more,
    },
  };
}

describe('feedback below an answer', () => {
  it('is for answers of this computer that are over and say something', () => {
    expect(isOwnAnswer(answered())).toBe(true);
    expect(isOwnAnswer(answered({ state: 'stopped' }))).toBe(true);
    expect(isOwnAnswer(answered({ target: 'mesh' }))).toBe(false);
    expect(isOwnAnswer(answered({ state: 'answering' }))).toBe(false);
    expect(isOwnAnswer({ ...answered(), text: ' \n' })).toBe(false);
    expect(isOwnAnswer({ role: 'user', text: 'What is a mesh?', answer: null })).toBe(false);
  });

  it.each([
    ['private', {}, { isPrivate: true, keeps: true }],
    ['private', { state: 'stopped' }, { isPrivate: true, keeps: false }],
    ['off', {}, { isPrivate: false, keeps: false }],
    ['cut', { state: 'stopped' }, { isPrivate: false, keeps: true }],
    ['cut', { state: 'failed' }, { isPrivate: false, keeps: true }],
    [undefined, {}, { isPrivate: false, keeps: true }],
    [undefined, {}, { isPrivate: false, keeps: undefined }],
  ] as const)('says «%s» of an answer that is %j in a conversation that is %j', (why, more, circumstances) => {
    expect(whyNotKept(answered(more), circumstances)).toBe(why);
  });
});
