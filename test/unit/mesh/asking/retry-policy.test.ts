import { describe, expect, it } from 'vitest';
import { Experience } from '../../../../src-main/mesh/asking/experience.ts';
import { afterFailure, type Failure, Tries } from '../../../../src-main/mesh/asking/retry-policy.ts';
import type { Claimed } from '../../../../src-main/mesh/asking/selection.ts';
import { type ErrorCode, QuarryError } from '../../../../src-preload/contract/errors.ts';

function selfReport(contextSize = 4_096, waiting = 0, loadMs = 0): Claimed {
  return {
    ready: true,
    health: { score: 90, state: 'idle', capacity: 100 },
    queue: { waiting, running: 0, parallel: 1, capacity: 10 },
    models: [{ name: 'm', contextSize }],
    loadMs,
  };
}

const error = (code: ErrorCode, retryAfterMs?: number) => new QuarryError({ code, message: code, retryAfterMs });

function failure(code: ErrorCode, more: Partial<Failure> = {}): Failure {
  return { worker: 'w', code, selfReport: selfReport(), accepted: false, proven: false, ...more };
}

describe('what a failure says about its worker', () => {
  it.each<[ErrorCode, object]>([
    ['DEADLINE', { kind: 'expired' }],
    ['CANCELLED', { kind: 'none' }],
    ['BAD_REQUEST', { kind: 'blame' }],
    ['CONTEXT_TOO_LONG', { kind: 'blame' }],
    ['MODEL_NOT_FOUND', { kind: 'fault' }],
    ['QUEUE_FULL', { kind: 'busy', forMs: 2_000, claimedRoom: true }],
    ['RATE_LIMIT', { kind: 'busy', forMs: 2_000, claimedRoom: false }],
    ['NO_CREDIT', { kind: 'busy', forMs: 2_000, claimedRoom: false }],
    ['WORKER_LOST', { kind: 'fault' }],
    ['ENGINE_CRASHED', { kind: 'fault' }],
  ])('%s', (code, effect) => expect(afterFailure(error(code), selfReport())).toEqual(effect));

  it.each<ErrorCode>(['RATE_LIMIT', 'NO_CREDIT', 'QUEUE_FULL', 'NOT_RUNNING', 'OVERLOADED', 'INTERNAL'])(
    'is its own fault, once it has taken the request: %s',
    (code) => {
      expect(afterFailure(error(code, 0), selfReport(), true)).toEqual({ kind: 'fault' });
      const known = new Experience();
      expect(known.fails('w')).toBe(false);
      known.failed('w', selfReport(), error(code, 0), 0, 0, { accepted: true });
      expect([known.fails('w'), known.isCooling('w', 14_999)]).toEqual([true, true]);
    },
  );

  it('leaves one that gives nothing for hours alone for a moment only: what it owes may change before', () => {
    expect(afterFailure(error('NO_CREDIT', 9e6), selfReport())).toEqual({
      kind: 'busy',
      forMs: 2_000,
      claimedRoom: false,
    });
    expect(afterFailure(error('RATE_LIMIT', 9e6), selfReport())).toEqual({
      kind: 'busy',
      forMs: 9e6,
      claimedRoom: false,
    });
  });

  it('counts a lack of room only where room was claimed', () => {
    expect(afterFailure(error('QUEUE_FULL', 7), selfReport(1, 3))).toEqual({
      kind: 'busy',
      forMs: 7,
      claimedRoom: false,
    });
    const known = new Experience();
    const before = known.successRate('w');
    known.failed('w', selfReport(1, 3), error('QUEUE_FULL'), 0, 0);
    expect(known.successRate('w')).toBe(before);
    known.failed('w', selfReport(), error('QUEUE_FULL'), 0, 0);
    expect(known.successRate('w')).toBeLessThan(before);
  });

  it('leaves one that does not load a model now alone for a moment only', () => {
    const claims = { OVERLOADED: 'to load', RATE_LIMIT: false, QUEUE_FULL: 'to load' };
    for (const [code, claimedRoom] of Object.entries(claims)) {
      const busy = { kind: 'busy', forMs: 2_000, claimedRoom };
      expect(afterFailure(error(code as ErrorCode, 9e6), selfReport(1, 0, 5_000))).toEqual(busy);
    }
  });

  it('counts a refusal to load against it from the second within some minutes on', () => {
    const known = new Experience();
    const before = known.successRate('w');
    const refuse = (now: number, code: ErrorCode = 'OVERLOADED', waiting = 0) =>
      known.failed('w', selfReport(1, waiting, 1), error(code), now, 0);
    refuse(0);
    refuse(300_000);
    refuse(300_001, 'NO_CREDIT');
    refuse(300_002, 'RATE_LIMIT');
    refuse(300_003, 'QUEUE_FULL', 3);
    expect(known.successRate('w')).toBe(before);
    refuse(300_004);
    expect(known.successRate('w')).toBeLessThan(before);
  });

  it('counts the time for loading that it spoke of as no time that it had a request', () => {
    const known = new Experience();
    const fail = (afterMs: number) => known.failed('w', selfReport(1, 0, 20_000), error('DEADLINE'), 0, afterMs);
    fail(49_999);
    expect(known.isCooling('w', 1)).toBe(false);
    fail(50_000);
    expect(known.isCooling('w', 1)).toBe(true);
  });

  it('counts an own deadline against one that took the request to load for it, and was silent, whatever it promised', () => {
    const known = new Experience();
    const before = known.successRate('w');
    const fail = (accepted: boolean, begun: boolean) =>
      known.failed('w', selfReport(1, 0, 91_000), error('DEADLINE'), 0, 120_000, { accepted, begun });
    fail(false, false);
    fail(true, true);
    expect(known.successRate('w')).toBe(before);
    fail(true, false);
    expect([known.successRate('w') < before, known.isCooling('w', 1)]).toEqual([true, false]);
  });

  it('holds an own deadline against it only if it had the request for a while', () => {
    const known = new Experience();
    const before = known.successRate('w');
    known.failed('w', selfReport(), error('DEADLINE'), 0, 29_999);
    expect(known.successRate('w')).toBe(before);
    known.failed('w', selfReport(), error('DEADLINE'), 0, 30_000);
    expect(known.successRate('w')).toBeLessThan(before);
  });
});

describe('how many workers are tried', () => {
  it('refusals count only when nobody else is left', () => {
    const tries = new Tries(4, 'm');
    for (let count = 0; count < 50; count++) tries.failed(failure('WORKER_LOST'));
    expect([tries.enough(true), tries.enough(false)]).toEqual([false, true]);
  });

  it('those that took the request count, so do blames, and crashes of workers that are known', () => {
    const after = (count: number, ...args: Parameters<typeof failure>) => {
      const tries = new Tries(4, 'm');
      for (let index = 0; index < count; index++) tries.failed(failure(...args));
      return tries.enough(true);
    };
    expect([after(3, 'WORKER_LOST', { accepted: true }), after(4, 'WORKER_LOST', { accepted: true })]).toEqual([
      false,
      true,
    ]);
    expect([after(7, 'BAD_REQUEST'), after(8, 'BAD_REQUEST')]).toEqual([false, true]);
    const known = { accepted: true, proven: true };
    expect([after(2, 'OUT_OF_MEMORY', known), after(3, 'OUT_OF_MEMORY', known)]).toEqual([false, true]);
  });
});

describe('blame without cause', () => {
  it('is held against those who gave it when another serves the request', () => {
    const tries = new Tries(8, 'm');
    tries.failed(failure('BAD_REQUEST', { worker: 'bad' }));
    tries.failed(failure('CONTEXT_TOO_LONG', { worker: 'long', selfReport: selfReport(8_192) }));
    tries.failed(failure('CONTEXT_TOO_LONG', { worker: 'short', selfReport: selfReport(2_048) }));
    tries.failed(failure('RATE_LIMIT', { worker: 'strict' }));
    expect(tries.blamedFalsely(selfReport(4_096)).map(({ worker }) => worker)).toEqual(['bad', 'long']);
  });
});

describe('what the caller is told when nobody is paid', () => {
  const HOUR = 3_600_000;
  function told(refusals: Partial<Failure>[], { affordable = 0, last = error('NO_CREDIT') } = {}) {
    const tries = new Tries(4, 'm');
    for (const refusal of refusals) tries.failed(failure('NO_CREDIT', refusal));
    return tries.asTold(last, { tokens: 512, credits: 3, affordable });
  }

  it('is what the question costs, and when the first of all workers can serve it', () => {
    expect(told([{ retryAfterMs: 30 * HOUR }, { retryAfterMs: 2.5 * HOUR }, {}])).toMatchObject({
      code: 'NO_CREDIT',
      message: expect.stringContaining('may cost 3 credits, for an answer of up to 512 tokens'),
      hint: 'In 3 h at the latest, one of them can serve this question. Serve others: this node may ask them for as much in return.',
      retryable: true,
      retryAfterMs: 2.5 * HOUR,
    });
  });

  it('is how long an answer may be had for what one of them owes or gives', () => {
    const error = told([{ retryAfterMs: HOUR }], { affordable: 2 });
    expect(error.hint).toMatch(/^Ask for at most 256 tokens: one of them gives 2 credits\. In 1 h /);
    expect(told([{}], { affordable: 1 }).hint).toMatch(/^Ask for a shorter answer/);
  });

  it('is to serve or ask for less where none ever gives so much', () => {
    const error = told([{}, {}]);
    expect(error).toMatchObject({ retryable: false, hint: expect.stringContaining('Ask for a shorter answer') });
    expect(error.retryAfterMs).toBeUndefined();
  });

  it('is the worker’s own word when it is about something else', () => {
    const [late, lost] = [error('NO_CREDIT'), error('WORKER_LOST')];
    expect(told([{ accepted: true }], { last: late })).toBe(late);
    expect(told([{}], { last: lost })).toBe(lost);
  });
});
