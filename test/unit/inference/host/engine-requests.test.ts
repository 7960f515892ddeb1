import { describe, expect, it, vi } from 'vitest';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import type { EngineResult, HostMessage } from '../../../../src-main/inference/engine-protocol.ts';
import { type EngineEvent, EngineRequests } from '../../../../src-main/inference/host/engine-requests.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';

const crash = new QuarryError({ code: 'ENGINE_CRASHED', message: 'gone', retryable: true });
const DEAF = new QuarryError({ code: 'OVERLOADED', message: 'It does not read.', retryable: true });
const counted = (tokens: number): EngineResult => ({ kind: 'count', tokens });
const done = (tokens: number, waitedMs = 0): EngineEvent => ({ type: 'done', result: counted(tokens), waitedMs });

function setUp(maxWaiting = 256) {
  const sent: HostMessage[] = [];
  const clock = { now: 0 };
  const engine = { deaf: false, dead: false };
  const send = (message: HostMessage) => {
    if (engine.dead) return;
    if (engine.deaf) throw DEAF;
    if (JSON.stringify(message).includes('too deep')) throw new RangeError('Maximum call stack size exceeded');
    sent.push(message);
  };
  const requests = new EngineRequests({ maxWaiting, now: () => clock.now });
  const submit = (prompt: string, options = {}) =>
    requests.submit({ send }, { type: 'count', input: { prompt } }, options);
  /** Asks, and reads to the end. */
  const ask = (prompt: string, options = {}) => {
    const answer = Array.fromAsync(submit(prompt, options));
    answer.catch(ignoring('looked at later, or never'));
    return answer;
  };
  return { requests, engine, sent, clock, submit, ask };
}

describe('EngineRequests', () => {
  it('answers each request once, by its id', async () => {
    const { requests, ask } = setUp();
    const [first, second] = [ask('a'), ask('b')];
    requests.onEvents([
      { type: 'done', id: 1, result: counted(2) },
      { type: 'done', id: 1, result: counted(9) },
      { type: 'done', id: 0, result: counted(1) },
    ]);
    expect(await first).toEqual([done(1)]);
    expect(await second).toEqual([done(2)]);
  });

  it('passes on the pieces of an answer before its result', async () => {
    const { requests, ask } = setUp();
    const answer = ask('a');
    const chunk = { type: 'chunk', id: 0, text: 'x', tokens: 1 } as const;
    requests.onEvents([{ type: 'started', id: 0 }, chunk, chunk, { type: 'done', id: 0, result: counted(1) }]);
    expect(await answer).toEqual([chunk, chunk, done(1)]);
  });

  it('fails what had begun when the engine died, and gives the rest to the next one in order', async () => {
    const { requests, sent, clock, ask } = setUp();
    const [begun, second, third] = [ask('a'), ask('b'), ask('c')];
    requests.onEvents([{ type: 'started', id: 0 }]);
    requests.failStarted(crash);
    sent.length = 0;
    clock.now = 700;
    requests.resend();
    await expect(begun).rejects.toBe(crash);
    expect(sent.map((message) => 'id' in message && message.id)).toEqual([1, 2]);
    requests.onEvents([{ type: 'done', id: 1, result: counted(1) }]);
    expect(await second).toEqual([done(1, 700)]);
    expect(requests.waiting).toBe(1);
    requests.failAll(crash);
    await expect(third).rejects.toBe(crash);
  });

  it('fails what an engine that does not read cannot be sent, and nothing else', async () => {
    const { requests, engine, sent, ask } = setUp();
    const leaving = new AbortController();
    const [first, cancelled] = [ask('a'), ask('b', { signal: leaving.signal })];
    engine.deaf = true;
    await expect(ask('c')).rejects.toBe(DEAF);
    leaving.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    expect([sent.length, requests.waiting]).toEqual([2, 1]);
    requests.onEvents([{ type: 'done', id: 0, result: counted(1) }]);
    expect(await first).toEqual([done(1)]);
  });

  it('fails what the next engine does not read', async () => {
    const { requests, engine, ask } = setUp();
    const both = [ask('a'), ask('b')];
    engine.deaf = true;
    requests.resend();
    for (const answer of both) await expect(answer).rejects.toBe(DEAF);
    expect(requests.waiting).toBe(0);
  });

  it('fails what cannot be written for the next engine, and gives it everything else', async () => {
    const { requests, engine, sent, ask } = setUp();
    engine.dead = true;
    const [first, deep, last] = [ask('a'), ask('too deep'), ask('b')];
    engine.dead = false;
    requests.resend();
    await expect(deep).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(sent.map((message) => 'id' in message && message.id)).toEqual([0, 2]);
    requests.onEvents([
      { type: 'done', id: 0, result: counted(1) },
      { type: 'done', id: 2, result: counted(2) },
    ]);
    expect(await Promise.all([first, last])).toEqual([[done(1)], [done(2)]]);
    expect(requests.waiting).toBe(0);
  });

  it('counts the active and the waiting', () => {
    const { requests, ask } = setUp();
    ask('a');
    ask('b');
    requests.onEvents([{ type: 'started', id: 1 }]);
    expect([requests.active, requests.waiting]).toEqual([1, 1]);
  });

  it('refuses more than may wait, and takes them when there is room', async () => {
    const { requests, ask } = setUp(2);
    ask('a');
    ask('b');
    await expect(ask('c')).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
    requests.onEvents([{ type: 'started', id: 0 }]);
    ask('d');
    expect([requests.active, requests.waiting]).toEqual([1, 2]);
  });

  it('tells the engine when somebody leaves an answer, and forgets it', async () => {
    const { requests, sent, submit } = setUp();
    const answer = submit('a');
    const first = answer.next();
    requests.onEvents([{ type: 'chunk', id: 0, text: 'x', tokens: 1 }]);
    await first;
    await answer.return();
    await answer.return();
    expect(sent.filter(({ type }) => type === 'cancel')).toHaveLength(1);
    requests.onEvents([{ type: 'done', id: 0, result: counted(1) }]);
    expect(requests.waiting).toBe(0);
  });

  it('says nothing more to the engine when a request had its last word', async () => {
    const { requests, sent, ask } = setUp();
    const controller = new AbortController();
    const answer = ask('a', { signal: controller.signal });
    requests.onEvents([{ type: 'done', id: 0, result: counted(1) }]);
    await answer;
    controller.abort();
    expect(sent.map(({ type }) => type)).toEqual(['count']);
  });

  it('ends with CANCELLED when the signal says so, even before the request was sent', async () => {
    const { sent, ask } = setUp();
    await expect(ask('a', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
    const controller = new AbortController();
    const late = ask('b', { signal: controller.signal });
    controller.abort();
    expect(sent.at(-1)).toEqual({ type: 'cancel', id: 0 }); // at once, whoever reads
    await expect(late).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(sent.filter(({ type }) => type === 'count')).toHaveLength(1);
  });

  it('ends with DEADLINE when it takes too long', async () => {
    vi.useFakeTimers();
    try {
      const { sent, ask } = setUp();
      const answer = ask('a', { deadlineMs: 500 });
      vi.advanceTimersByTime(500);
      expect(sent.at(-1)).toEqual({ type: 'cancel', id: 0 });
      await expect(answer).rejects.toMatchObject({ code: 'DEADLINE' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('passes on what the engine says went wrong', async () => {
    const { requests, ask } = setUp();
    const answer = ask('a');
    requests.onEvents([
      { type: 'failed', id: 0, error: { code: 'CONTEXT_TOO_LONG', message: 'too long', field: 'input' } },
    ]);
    await expect(answer).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG', field: 'input' });
  });
});
