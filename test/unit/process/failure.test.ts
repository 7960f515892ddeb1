import { describe, expect, it } from 'vitest';
import { failureOf, failureSchema, revived } from '../../../src-main/process/failure.ts';
import { errorSchema } from '../../../src-preload/contract/error-schema.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, sentence, wordsOf } from '../../../src-preload/contract/saying.ts';

/** What a parent makes of what a child said. */
const heard = (failure: unknown) => revived(failureSchema.parse(failure));

describe('an error of a child', () => {
  it('is in the parent what it was', () => {
    const error = new QuarryError({
      ...{ code: 'UNAUTHORIZED', message: say('training.diskFull'), hint: 'Try again.', field: 'password' },
      ...{ retryable: true, retryAfterMs: 500 },
    });
    expect(heard(JSON.parse(JSON.stringify(failureOf(error)))).toJSON()).toEqual(error.toJSON());
    expect(heard(structuredClone(failureOf(error))).toJSON()).toEqual(error.toJSON());
    expect(heard(failureOf(new Error('x'.repeat(20_000)))).message).toHaveLength(10_000);
  });

  it('has a code that there is: what is kept of it can be read again', () => {
    const error = heard({ code: 'EVIL', message: 'x', more: 'of it' });
    expect(error.code).toBe('INTERNAL');
    expect(errorSchema.parse(JSON.parse(JSON.stringify(error)))).toMatchObject({ code: 'INTERNAL', message: 'x' });
    expect(JSON.stringify(error)).not.toContain('of it');
  });

  it.each([
    { hint: { key: 'training.died', params: { reason: null } } },
    { said: { message: { key: 'training.died', params: { reason: null } } } },
    { said: { message: { key: 'training.died', params: null } } },
    { said: { message: { key: 'training.died', params: { reason: 'x'.repeat(20_000) } } } },
    { said: { message: null } },
    { said: 'nothing' },
    { retryable: 'yes', retryAfterMs: -1, field: {} },
  ])('loses what is not as it should be: %j', (wrong) => {
    const error = heard({ code: 'WORKER_LOST', message: 'x', retryable: true, ...wrong });
    expect(error).toMatchObject({ code: 'WORKER_LOST', message: 'x', hint: undefined, said: undefined });
    expect(error).toMatchObject({ retryable: !('retryable' in wrong), retryAfterMs: undefined, field: undefined });
    expect(sentence(wordsOf(error, 'message'))).toBe('x');
  });

  it('can be part of sentences of ours, which are read again, however deep its own are', () => {
    let why: Saying = say('training.died', { reason: 'x' });
    for (let depth = 1; depth < 14; depth++) why = say('training.died', { reason: why });
    const error = heard({ code: 'WORKER_LOST', message: 'x', said: { message: why } });
    let message = wordsOf(error, 'message');
    for (let around = 0; around < 5; around++) message = say('training.gpuFailed', { why: message });
    const kept = new QuarryError({ code: 'WORKER_LOST', message });
    expect(errorSchema.safeParse(JSON.parse(JSON.stringify(kept))).success).toBe(true);
  });
});
