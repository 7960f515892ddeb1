import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import { namedError } from '../../../src-main/client/named-error.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';

const named = (status: number) => namedError(new ORPCError('WHATEVER', { status, message: 'no' }));

it('what the contract carries gets its name back, with all that it says', () => {
  const data = { code: 'NO_CREDIT', message: 'Nothing is left.', hint: 'Wait.', retryable: true, retryAfterMs: 9 };
  const error = namedError(new ORPCError('QUARRY', { data }));
  expect(error).toBeInstanceOf(QuarryError);
  expect(error).toMatchObject(data);
});

it.each<[string, unknown, RegExp]>([
  ['a name that is not ours', { code: 'NOT_A_CODE', message: 'Oh.' }, /«NOT_A_CODE Oh\.»/],
  ['no words', { code: 'NOT_A_CODE', message: '' }, /«NOT_A_CODE»/],
  ['a name of ours without words', { code: 'NO_CREDIT', message: '' }, /«NO_CREDIT»/],
  ['words that are none', { code: 'NO_CREDIT', message: { toString: 1 } }, /«NO_CREDIT»/],
  ['a hint that is none', { code: 'NO_CREDIT', message: 'No.', hint: ['Wait.'] }, /«NO_CREDIT No\.»/],
  ['a time that is none', { code: 'NO_CREDIT', message: 'No.', retryAfterMs: 'soon' }, /«NO_CREDIT No\.»/],
  ['more words than anybody reads', { code: 'X'.repeat(9_000), message: 'x' }, /«X{300}»/],
])('an error with %s is of another version, and says what was answered', (_, data, message) => {
  const error = namedError(new ORPCError('QUARRY', { data }));
  expect(error).toMatchObject({ name: 'QuarryError', code: 'UNSUPPORTED', message: expect.stringMatching(message) });
});

it('what carries no error of ours at all is named by its status', () => {
  for (const data of [null, 'text', 7, [], { code: 7 }]) {
    expect(namedError(new ORPCError('WHATEVER', { status: 404, data })).code).toBe('UNSUPPORTED');
    expect(namedError(new ORPCError('WHATEVER', { status: 500, data })).code).toBe('INTERNAL');
  }
});

it('what a server says before the contract has its turn is named by its status', () => {
  const codes = [401, 403, 404, 429, 500].map((status) => named(status).code);
  expect(codes).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED', 'UNSUPPORTED', 'RATE_LIMIT', 'INTERNAL']);
});

it('a node that is not there, or ends amid its answer, does not run', () => {
  for (const message of ['fetch failed', 'terminated']) {
    expect(namedError(new TypeError(message))).toMatchObject({ code: 'NOT_RUNNING', retryable: true });
  }
  expect(namedError(new TypeError('x is not a function'))).toMatchObject({ code: 'INTERNAL' });
});

it('whatever a call ends with once its signal has aborted is because of that', () => {
  const aborted = (reason?: unknown) => namedError(new TypeError('terminated'), AbortSignal.abort(reason)).code;
  expect([aborted(), aborted(new Error('mine')), aborted(new DOMException('', 'TimeoutError'))]).toEqual([
    ...['CANCELLED', 'CANCELLED', 'DEADLINE'],
  ]);
  const closed = new QuarryError({ code: 'BANNED', message: 'for a reason of its own' });
  expect(namedError(new TypeError('terminated'), AbortSignal.abort(closed))).toBe(closed);
});

it('a name that the node gave it is kept even so: an answer can fail in the same moment', () => {
  const failed = new ORPCError('QUARRY', { data: { code: 'NO_WORKER', message: 'Nobody.' } });
  expect(namedError(failed, AbortSignal.abort())).toMatchObject({ code: 'NO_WORKER' });
});
