import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListenerSet } from '../../../../src-main/base/listener-set.ts';
import { Later, LearningQueue, type LearningQueueOptions } from '../../../../src-main/learning/runs/learning-queue.ts';
import { DEFAULT_RUN } from '../../../../src-main/learning/runs/run-settings.ts';
import type { RunRow } from '../../../../src-main/store/learning-runs.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';

type Learn = LearningQueueOptions['learn'];

/** Adapters for which something waits; runs by what became of them. */
let waiting: string[];
let runs: { id: string; name: string; state: string; error?: string | null }[];
let against: Saying[];
let listeners: ListenerSet;
let queue: LearningQueue | undefined;

beforeEach(() => {
  [waiting, runs, against, listeners] = [[], [], [], new ListenerSet()];
});

afterEach(() => queue?.close());

const open = (run: (typeof runs)[number]) => run.state === 'open';

const store: LearningQueueOptions['store'] = {
  waiting: async () => waiting,
  unfinished: async () => runs.filter(open) as unknown as RunRow[],
  begin: async ({ id, name }) => {
    waiting = waiting.filter((each) => each !== name);
    runs.push({ id, name, state: 'open' });
    return runs.at(-1) as unknown as RunRow;
  },
  end: async (id, state, { error }) => void Object.assign(runs.find((run) => run.id === id) ?? {}, { state, error }),
};

function opened(learn: Learn, options: Partial<LearningQueueOptions> = {}): LearningQueue {
  queue = new LearningQueue({
    store,
    learn,
    conditions: { against: () => against, subscribe: (listener) => listeners.subscribe(listener) },
    when: () => 'idle',
    settings: () => DEFAULT_RUN,
    newId: () => `r${runs.length + 1}`,
    log: pino({ level: 'silent' }),
    ...options,
  });
  queue.open();
  return queue;
}

const accepted: Learn = async (run) => await store.end(run.id, 'accepted', { ended_at: 1 });
const untilStopped: Learn = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const states = () => runs.map(({ state }) => state);

it('learns one thing after the other, and what was added meanwhile', async () => {
  waiting = ['a', 'b'];
  const at = opened(accepted);
  await vi.waitFor(() => expect(states()).toEqual(['accepted', 'accepted']));
  waiting = ['c'];
  at.added();
  await vi.waitFor(() => expect(states()).toHaveLength(3));
  expect(at.view()).toEqual({ state: 'waiting', why: [], run: undefined });
});

it('goes on first with what was not ended', async () => {
  runs = [{ id: 'old', name: 'b', state: 'open' }];
  waiting = ['a'];
  const order: string[] = [];
  opened(async (run, how) => {
    order.push(run.id);
    await accepted(run, how);
  });
  await vi.waitFor(() => expect(order).toEqual(['old', 'r2']));
});

it('waits for time, says what for, and does not wait where it is asked for', async () => {
  waiting = ['a'];
  against = [say('policy.user.met')];
  const at = opened(accepted);
  expect(at.view()).toEqual({ state: 'waiting', why: [{ key: 'policy.user.met' }], run: undefined });
  against = [];
  listeners.tell();
  await vi.waitFor(() => expect(states()).toEqual(['accepted']));
  waiting = ['b'];
  against = [say('policy.user.met')];
  at.added();
  await new Promise(setImmediate);
  expect(states()).toHaveLength(1);
  at.start();
  await vi.waitFor(() => expect(states()).toHaveLength(2));
});

it('only when asked, where that is set', async () => {
  waiting = ['a'];
  const at = opened(accepted, { when: () => 'asked' });
  expect(at.view().why).toEqual([{ key: 'learning.whenAsked' }]);
  at.start();
  await vi.waitFor(() => expect(states()).toEqual(['accepted']));
});

it('is paused and goes on with the same run', async () => {
  waiting = ['a'];
  let begun = 0;
  const at = opened((run, how) => (++begun === 1 ? untilStopped(run, how) : accepted(run, how)));
  await vi.waitFor(() => expect(at.view()).toMatchObject({ state: 'learning', run: 'r1' }));
  at.pause();
  await vi.waitFor(() => expect(at.view()).toEqual({ state: 'paused', why: [], run: undefined }));
  expect(states()).toEqual(['open']);
  at.start();
  await vi.waitFor(() => expect(states()).toEqual(['accepted']));
});

it('is cancelled, under way or paused, and begins again only when there is something new', async () => {
  waiting = ['a'];
  const at = opened(untilStopped);
  await vi.waitFor(() => expect(at.view().state).toBe('learning'));
  await at.cancel();
  await vi.waitFor(() => expect([states(), at.view().state]).toEqual([['cancelled'], 'held']));
  await expect(at.cancel()).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  waiting = ['a'];
  at.added();
  await vi.waitFor(() => expect(at.view().state).toBe('learning'));
  at.pause();
  await vi.waitFor(() => expect(at.view()).toMatchObject({ state: 'paused', run: undefined }));
  await at.cancel();
  expect(states()).toEqual(['cancelled', 'cancelled']);
});

it('a failure is kept, and is not tried again by itself', async () => {
  waiting = ['a'];
  const at = opened(() => Promise.reject(new Error('no memory')));
  await vi.waitFor(() => expect(states()).toEqual(['failed']));
  expect(JSON.parse(runs[0]?.error ?? '')).toMatchObject({ code: 'INTERNAL' });
  expect(at.view().state).toBe('held');
});

it('puts a run off that wants what is not there now, says what that is, and tries it again', async () => {
  waiting = ['a'];
  let begun = 0;
  const at = opened(
    async (run, how) => {
      if (++begun <= 2) throw new Later(say('learning.noRun'));
      await accepted(run, how);
    },
    { again: { firstMs: 100, growth: 1 } },
  );
  await vi.waitFor(() =>
    expect([begun, at.view()]).toEqual([1, { state: 'waiting', why: [say('learning.noRun')], run: undefined }]),
  );
  expect(states()).toEqual(['open']);
  await vi.waitFor(() => expect([begun, ...states()]).toEqual([3, 'accepted']));
  expect(at.view().why).toEqual([]);
});

it('tries one that was put off at once where it is asked for, and ends it where that is wanted', async () => {
  waiting = ['a'];
  let begun = 0;
  const at = opened(
    () => {
      begun++;
      return Promise.reject(new Later(say('learning.noRun')));
    },
    { again: { firstMs: 3_600_000 } },
  );
  await vi.waitFor(() => expect(at.view().why).toHaveLength(1));
  at.start();
  await vi.waitFor(() => expect([begun, at.view().why.length]).toEqual([2, 1]));
  await at.cancel();
  expect([states(), at.view()]).toEqual([['cancelled'], { state: 'held', why: [], run: undefined }]);
});

it('stands aside for a moment, and frees its memory where it takes longer', async () => {
  waiting = ['a'];
  let begun = 0;
  opened(
    async (run, { rest, signal }) => {
      if (++begun === 1) against = [say('policy.user.met')];
      await rest(signal);
      await accepted(run, { rest, signal });
    },
    { graceMs: 5 },
  );
  await vi.waitFor(() => expect([begun, queue?.view().state]).toEqual([1, 'waiting']));
  expect(states()).toEqual(['open']);
  against = [];
  listeners.tell();
  await vi.waitFor(() => expect([begun, ...states()]).toEqual([2, 'accepted']));
});

it('leaves a run as it is when it is closed', async () => {
  waiting = ['a'];
  const at = opened(untilStopped);
  await vi.waitFor(() => expect(at.view().state).toBe('learning'));
  await at.close();
  expect(states()).toEqual(['open']);
});
