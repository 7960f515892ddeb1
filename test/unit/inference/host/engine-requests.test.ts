import { describe, expect, it, vi } from 'vitest';
import type { EngineResult, HostMessage } from '../../../../src-main/inference/engine-protocol.ts';
import { EngineRequests } from '../../../../src-main/inference/host/engine-requests.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';

const crash = new QuarryError({ code: 'ENGINE_CRASHED', message: 'gone', retryable: true });
const counted = (tokens: number): EngineResult => ({ kind: 'count', tokens });

function setUp() {
  const sent: HostMessage[] = [];
  const clock = { now: 0 };
  const requests = new EngineRequests(
    (message) => sent.push(message),
    () => clock.now,
  );
  const add = (prompt: string, options = {}) => {
    const handlers = { onDone: vi.fn(), onFail: vi.fn() };
    const cancel = requests.add({ type: 'count', input: { prompt } }, handlers, options);
    return { ...handlers, cancel };
  };
  return { requests, sent, clock, add };
}

describe('EngineRequests', () => {
  it('answers each request once, by its id', () => {
    const { requests, add } = setUp();
    const [first, second] = [add('a'), add('b')];
    requests.onEvents([
      { type: 'done', id: 1, result: counted(2) },
      { type: 'done', id: 1, result: counted(9) },
      { type: 'done', id: 0, result: counted(1) },
    ]);
    expect(first.onDone.mock.calls).toEqual([[counted(1), 0]]);
    expect(second.onDone.mock.calls).toEqual([[counted(2), 0]]);
  });

  it('fails what had begun when the engine died, and gives the rest to the next one in order', () => {
    const { requests, sent, clock, add } = setUp();
    const [begun, second, third] = [add('a'), add('b'), add('c')];
    requests.onEvents([{ type: 'started', id: 0 }]);
    requests.failStarted(crash);
    sent.length = 0;
    clock.now = 700;
    requests.resend();
    expect(begun.onFail).toHaveBeenCalledExactlyOnceWith(crash);
    expect(sent.map((message) => 'id' in message && message.id)).toEqual([1, 2]);
    requests.onEvents([{ type: 'done', id: 1, result: counted(1) }]);
    expect(second.onDone).toHaveBeenCalledWith(counted(1), 700);
    expect(third.onFail).not.toHaveBeenCalled();
  });

  it('counts the active and the waiting', () => {
    const { requests, add } = setUp();
    add('a');
    add('b');
    requests.onEvents([{ type: 'started', id: 1 }]);
    expect([requests.active, requests.waiting]).toEqual([1, 1]);
  });

  it('tells the engine of a cancelled request and forgets it', () => {
    const { requests, sent, add } = setUp();
    const request = add('a');
    request.cancel();
    request.cancel();
    expect(sent.filter(({ type }) => type === 'cancel')).toHaveLength(1);
    requests.onEvents([{ type: 'done', id: 0, result: counted(1) }]);
    expect(request.onDone).not.toHaveBeenCalled();
    expect(requests.waiting).toBe(0);
  });

  it('ends with CANCELLED when the signal says so, even before the request was sent', () => {
    const { sent, add } = setUp();
    const early = add('a', { signal: AbortSignal.abort() });
    expect(early.onFail).toHaveBeenCalledWith(expect.objectContaining({ code: 'CANCELLED' }));
    const controller = new AbortController();
    const late = add('b', { signal: controller.signal });
    controller.abort();
    expect(late.onFail).toHaveBeenCalledWith(expect.objectContaining({ code: 'CANCELLED' }));
    expect(sent.filter(({ type }) => type === 'count')).toHaveLength(1);
  });

  it('ends with DEADLINE when it takes too long', () => {
    vi.useFakeTimers();
    try {
      const { sent, add } = setUp();
      const request = add('a', { deadlineMs: 500 });
      vi.advanceTimersByTime(500);
      expect(request.onFail).toHaveBeenCalledWith(expect.objectContaining({ code: 'DEADLINE' }));
      expect(sent.at(-1)).toEqual({ type: 'cancel', id: 0 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('passes on what the engine says went wrong', () => {
    const { requests, add } = setUp();
    const request = add('a');
    requests.onEvents([
      { type: 'failed', id: 0, error: { code: 'CONTEXT_TOO_LONG', message: 'too long', field: 'input' } },
    ]);
    expect(request.onFail).toHaveBeenCalledWith(expect.objectContaining({ code: 'CONTEXT_TOO_LONG', field: 'input' }));
  });
});
