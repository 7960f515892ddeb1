import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { ListenerSet } from '../../../../src-main/base/listener-set.ts';
import { OutOfDate } from '../../../../src-main/learning/runs/begun-from.ts';
import { Later, LearningQueue, type LearningQueueOptions } from '../../../../src-main/learning/runs/learning-queue.ts';
import { DEFAULT_RUN } from '../../../../src-main/learning/runs/run-settings.ts';
import { CompletionStore } from '../../../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../../../src-main/store/learning/learning-feedback.ts';
import { LearningRunStore } from '../../../../src-main/store/learning/learning-run-store.ts';
import type { RunRow } from '../../../../src-main/store/learning/learning-runs.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { completionRow, feedbackRow } from '../../../support/kept-answers.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { until } from '../../../support/until.ts';

type Learn = LearningQueueOptions['learn'];

/** Feedback that waits, by the names of adapters; the ids of what waits by itself are of no matter. */
let waiting: string[];
/** Runs by what became of them, with the feedback that they have taken. */
let runs: { id: string; name: string; state: string; ended_at: number | null; of: string; error?: string | null }[];
let givenUp: string[];
/** Feedback that somebody wants learnt at once: its run, once it has one. */
let named: Map<number, string | undefined>;
let against: Saying[];
let listeners: ListenerSet;
let queue: LearningQueue | undefined;

beforeEach(() => {
  [waiting, runs, against, listeners, givenUp, named] = [[], [], [], new ListenerSet(), [], new Map()];
});

afterEach(() => queue?.close());

const open = (run: (typeof runs)[number]) => run.state === 'open';

const store: LearningQueueOptions['store'] = {
  waiting: async (only) => {
    const [name] = only ? only.filter((id) => named.has(id) && !named.get(id)).map(() => 'named') : waiting;
    return name === undefined ? undefined : { name, training: null };
  },
  unfinished: async () => runs.filter(open) as unknown as RunRow[],
  begin: async ({ id, name }, { only = [] }) => {
    waiting = waiting.filter((each) => each !== name);
    for (const each of only) named.set(each, id);
    runs.push({ id, name, state: 'open', ended_at: null, of: only.join(' ') });
    return runs.at(-1) as unknown as RunRow;
  },
  end: async (id, state, { error }) =>
    Boolean(Object.assign(runs.find((run) => run.id === id) ?? {}, { state, error, ended_at: 1 })),
  get: async (id) => runs.find((run) => run.id === id) as unknown as RunRow,
  runOf: async (ids) => ids.map((id) => named.get(id)).find((run) => run !== undefined),
};

function opened(learn: Learn, options: Partial<LearningQueueOptions> = {}): LearningQueue {
  queue = new LearningQueue({
    store,
    learn,
    conditions: { against: () => against, subscribe: (listener) => listeners.subscribe(listener) },
    when: () => 'idle',
    settings: () => DEFAULT_RUN,
    onGivenUp: async (id) => void givenUp.push(id),
    newId: () => `r${runs.length + 1}`,
    log: pino({ level: 'silent' }),
    ...options,
  });
  queue.open();
  return queue;
}

const accepted: Learn = async (run) => void (await store.end(run.id, 'accepted', { ended_at: 1 }));
const untilStopped: Learn = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
/** Somebody who stays. */
const staying = new AbortController().signal;
const states = () => runs.map(({ state }) => state);

it('learns one thing after the other, and what was added meanwhile', async () => {
  waiting = ['a', 'b'];
  const at = opened(accepted);
  await until(() => expect(states()).toEqual(['accepted', 'accepted']));
  waiting = ['c'];
  at.added();
  await until(() => expect(states()).toHaveLength(3));
  expect(at.view()).toEqual({ state: 'waiting', why: [], run: undefined });
});

it('goes on first with what was not ended', async () => {
  runs = [{ id: 'old', name: 'b', state: 'open', ended_at: null, of: '' }];
  waiting = ['a'];
  const order: string[] = [];
  opened(async (run, how) => {
    order.push(run.id);
    await accepted(run, how);
  });
  await until(() => expect(order).toEqual(['old', 'r2']));
});

it('waits for time, says what for, and does not wait where it is asked for', async () => {
  waiting = ['a'];
  against = [say('policy.user.met')];
  const at = opened(accepted);
  expect(at.view()).toEqual({ state: 'waiting', why: [{ key: 'policy.user.met' }], run: undefined });
  against = [];
  listeners.tell();
  await until(() => expect(states()).toEqual(['accepted']));
  waiting = ['b'];
  against = [say('policy.user.met')];
  at.added();
  await new Promise(setImmediate);
  expect(states()).toHaveLength(1);
  at.start();
  await until(() => expect(states()).toHaveLength(2));
});

it('only when asked, where that is set', async () => {
  waiting = ['a'];
  const at = opened(accepted, { when: () => 'asked' });
  expect(at.view().why).toEqual([{ key: 'learning.whenAsked' }]);
  at.start();
  await until(() => expect(states()).toEqual(['accepted']));
});

it('is paused and goes on with the same run', async () => {
  waiting = ['a'];
  let begun = 0;
  const at = opened((run, how) => (++begun === 1 ? untilStopped(run, how) : accepted(run, how)));
  await until(() => expect(at.view()).toMatchObject({ state: 'learning', run: 'r1' }));
  at.pause();
  await until(() => expect(at.view()).toEqual({ state: 'paused', why: [], run: undefined }));
  expect(states()).toEqual(['open']);
  at.start();
  await until(() => expect(states()).toEqual(['accepted']));
});

it('is cancelled, under way or paused, and begins again only when there is something new', async () => {
  waiting = ['a'];
  const at = opened(untilStopped);
  await until(() => expect(at.view().state).toBe('learning'));
  await at.cancel();
  await until(() => expect([states(), at.view().state]).toEqual([['cancelled'], 'held']));
  await expect(at.cancel()).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  waiting = ['a'];
  at.added();
  await until(() => expect(at.view().state).toBe('learning'));
  at.pause();
  await until(() => expect(at.view()).toMatchObject({ state: 'paused', run: undefined }));
  await at.cancel();
  expect(states()).toEqual(['cancelled', 'cancelled']);
  expect(givenUp).toEqual(['r1', 'r2']);
});

it('a failure is kept, and is not tried again by itself', async () => {
  waiting = ['a'];
  const at = opened(() => Promise.reject(new Error('no memory')));
  await until(() => expect(states()).toEqual(['failed']));
  expect(JSON.parse(runs[0]?.error ?? '')).toMatchObject({ code: 'INTERNAL' });
  expect([at.view().state, givenUp]).toEqual(['held', ['r1']]);
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
  await until(() =>
    expect([begun, at.view()]).toEqual([1, { state: 'waiting', why: [say('learning.noRun')], run: undefined }]),
  );
  expect(states()).toEqual(['open']);
  await until(() => expect([begun, ...states()]).toEqual([3, 'accepted']));
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
  await until(() => expect(at.view().why).toHaveLength(1));
  at.start();
  await until(() => expect([begun, at.view().why.length]).toEqual([2, 1]));
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
  await until(() => expect([begun, queue?.view().state]).toEqual([1, 'waiting']));
  expect(states()).toEqual(['open']);
  against = [];
  listeners.tell();
  await until(() => expect([begun, ...states()]).toEqual([2, 'accepted']));
});

it('does something between runs: what is under way is left for it, and goes on', async () => {
  waiting = ['a'];
  const done: string[] = [];
  const learn: Learn = async (run, how) => {
    done.push(`begins ${run.id}`);
    await (done.includes('between') ? accepted : untilStopped)(run, how);
  };
  const at = opened(learn);
  await until(() => expect(done).toEqual(['begins r1']));
  await at.between(async () => {
    expect(at.view()).toMatchObject({ state: 'waiting', run: undefined });
    done.push('between');
  });
  await until(() => expect([done, states()]).toEqual([['begins r1', 'between', 'begins r1'], ['accepted']]));
  await expect(at.between(() => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
  waiting = ['b'];
  at.added();
  await until(() => expect(states()).toEqual(['accepted', 'accepted']));
});

it('is cancelled all the same while it is left for that', async () => {
  waiting = ['a'];
  const at = opened(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => setImmediate(() => reject(signal.reason)));
      }),
  );
  await until(() => expect(at.view().state).toBe('learning'));
  const between = at.between(async () => undefined);
  await at.cancel();
  await between;
  await until(() => expect([states(), givenUp]).toEqual([['cancelled'], ['r1']]));
});

it('goes on after that with what somebody waits for, whatever speaks against it', async () => {
  against = [say('policy.user.met')];
  named.set(7, undefined);
  let isOver = false;
  const at = opened((run, how) => (isOver ? accepted : untilStopped)(run, how));
  const learnt = at.learn([7], staying);
  await until(() => expect(at.view().state).toBe('learning'));
  await at.between(async () => {
    isOver = true;
  });
  expect((await learnt).state).toBe('accepted');
});

it('leaves a run as it is when it is closed', async () => {
  waiting = ['a'];
  const at = opened(untilStopped);
  await until(() => expect(at.view().state).toBe('learning'));
  await at.close();
  expect(states()).toEqual(['open']);
});

it('learns at once what somebody waits for, in a run of its own, whatever this computer does', async () => {
  waiting = ['a'];
  named = new Map([
    [7, undefined],
    [8, undefined],
  ]);
  against = [say('policy.user.met')];
  const at = opened(accepted);
  expect(await at.learn([7, 8], staying)).toMatchObject({ id: 'r1', of: '7 8', state: 'accepted' });
  await new Promise(setImmediate);
  expect(runs).toHaveLength(1); // what speaks against it holds for the rest
  expect(waiting).toEqual(['a']);
});

it('lets who waits go first, also before a run that was set aside', async () => {
  runs = [{ id: 'old', name: 'b', state: 'open', ended_at: null, of: '' }];
  named = new Map([[7, undefined]]);
  against = [say('policy.user.met')];
  const order: string[] = [];
  const at = opened(async (run, how) => {
    order.push(run.id);
    await accepted(run, how);
  });
  await at.learn([7], staying);
  against = [];
  listeners.tell();
  await until(() => expect(order).toEqual(['r2', 'old']));
});

it('says so where something else takes too long, and the feedback waits', async () => {
  waiting = ['a'];
  named = new Map([[7, undefined]]);
  const at = opened(untilStopped, { turnMs: 20 });
  await until(() => expect(at.view().state).toBe('learning'));
  await expect(at.learn([7], staying)).rejects.toMatchObject({
    code: 'LEARNING_BUSY',
    message: expect.stringContaining('did not end within 0 seconds'),
  });
  await at.cancel();
  await until(() => expect(states()).toEqual(['cancelled']));
  expect(named.get(7)).toBeUndefined();
});

it('goes on learning where nobody waits for it any more', async () => {
  named = new Map([[7, undefined]]);
  const going = Promise.withResolvers<void>();
  const at = opened(async (run, how) => {
    await going.promise;
    await accepted(run, how);
  });
  const leaving = new AbortController();
  const learning = at.learn([7], leaving.signal);
  await until(() => expect(at.view().state).toBe('learning'));
  leaving.abort(new Error('gone'));
  await expect(learning).rejects.toThrow('gone');
  going.resolve();
  await until(() => expect(states()).toEqual(['accepted']));
});

it('tells again of what was learnt before, goes on with what was begun, and knows nothing of what was withdrawn', async () => {
  runs = [
    { id: 'done', name: 'named', state: 'accepted', ended_at: 1, of: '7' },
    { id: 'begun', name: 'named', state: 'open', ended_at: null, of: '8' },
  ];
  named = new Map([
    [7, 'done'],
    [8, 'begun'],
  ]);
  against = [say('policy.user.met')];
  const at = opened(accepted);
  expect(await at.learn([7], staying)).toMatchObject({ id: 'done' });
  expect(states()).toEqual(['accepted', 'open']);
  expect(await at.learn([8], staying)).toMatchObject({ id: 'begun', state: 'accepted' });
  await expect(at.learn([9], staying)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('a failure is told to who waits, and the next in turn is learnt all the same', async () => {
  named = new Map([
    [7, undefined],
    [8, undefined],
  ]);
  const going = Promise.withResolvers<void>();
  const at = opened(async (run, how) => {
    await going.promise;
    if (run.id === 'r1') throw new Error('no memory');
    await accepted(run, how);
  });
  const [first, second] = [at.learn([7], staying), at.learn([8], staying)];
  going.resolve();
  expect(await first).toMatchObject({ id: 'r1', state: 'failed' });
  expect(await second).toMatchObject({ id: 'r2', state: 'accepted' });
});

it('promises nothing while it is paused or closed, and tells who waits', async () => {
  named = new Map([
    [7, undefined],
    [8, undefined],
  ]);
  const at = opened(untilStopped);
  const [running, next] = [at.learn([7], staying), at.learn([8], staying)];
  const refused = Promise.all(
    [running, next].map((each) => expect(each).rejects.toMatchObject({ code: 'NOT_RUNNING' })),
  );
  await until(() => expect(at.view().state).toBe('learning'));
  at.pause();
  await refused;
  await expect(at.learn([8], staying)).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  at.start();
  await at.close();
  await expect(at.learn([8], staying)).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  expect(states()).toEqual(['open']);
});

it('says of what took several runs what was in vain, also where the rest is learnt only now', async () => {
  const db = await memoryDatabase();
  onTestFinished(() => db.destroy());
  await new CompletionStore(db).put(completionRow());
  await new FeedbackStore(db).add(
    ['a', 'b', 'c'].map((key) => feedbackRow({ key })),
    100,
  );
  const kept = new LearningRunStore(db);
  const learnt = async (id: string, only: number[], end: 'accepted' | 'rolled-back') => {
    await kept.begin({ id, name: 'personal', created_at: 1, settings: '{}' }, { training: null, most: 4, only });
    await kept.end(id, end, { ended_at: 1 });
  };
  await learnt('old', [1], 'rolled-back');
  await learnt('new', [2], 'accepted');
  const learn: Learn = async ({ id }) => void (await kept.end(id, 'accepted', { ended_at: 1 }));
  const at = opened(learn, { store: kept, newId: () => 'last', when: () => 'asked' });
  expect(await at.learn([1, 2], staying)).toMatchObject({ id: 'old', state: 'rolled-back' });
  expect(await at.learn([1, 2, 3], staying)).toMatchObject({ id: 'old', state: 'rolled-back' });
  expect(await kept.get('last')).toMatchObject({ state: 'accepted' });
  expect(await at.learn([2, 3], staying)).toMatchObject({ state: 'accepted' });
});

it('feedback that fails at each start of a node is not tried for ever, and again when it is asked for', async () => {
  const db = await memoryDatabase();
  onTestFinished(() => db.destroy());
  await new CompletionStore(db).put(completionRow());
  await new FeedbackStore(db).add([feedbackRow()], 100);
  const kept = new LearningRunStore(db);
  const all = () => kept.list(99);
  const fails: Learn = () => Promise.reject(new Error('no memory'));
  const start = () => opened(fails, { store: kept, newId: () => randomBytes(8).toString('hex') });
  for (const runs of [1, 2, 3]) {
    start();
    await until(async () => expect((await all()).filter(({ state }) => state === 'failed')).toHaveLength(runs));
    await queue?.close();
  }
  const at = start();
  await until(async () => expect(await kept.waiting()).toBeUndefined());
  expect([at.view().state, (await all()).length]).toEqual(['waiting', 3]);
  await kept.takeUp();
  at.start();
  await until(async () => expect(await all()).toHaveLength(4));
  await until(async () => expect(await new FeedbackStore(db).counts()).toMatchObject([{ waiting: 0, aside: 1 }]));
});

it('a run that another version came in the way of begins anew, whoever waits for it', async () => {
  named = new Map([[7, undefined]]);
  against = [say('policy.user.met')];
  let begun = 0;
  const at = opened(async (run, how) => {
    if (++begun === 1) throw new OutOfDate('another version is in use');
    await accepted(run, how);
  });
  expect(await at.learn([7], staying)).toMatchObject({ id: 'r1', state: 'accepted' });
  expect([begun, states()]).toEqual([2, ['accepted']]);
});

it('what keeps a run from beginning is said, and the run is tried again when somebody asks', async () => {
  waiting = ['a'];
  let isFull = true;
  const begin: typeof store.begin = async (...run) => {
    if (isFull) throw new QuarryError({ code: 'DISK_FULL', message: say('learning.noTokens') });
    return await store.begin(...run);
  };
  const at = opened(accepted, { store: { ...store, begin } });
  await until(() =>
    expect(at.view()).toEqual({
      ...{ state: 'held', run: undefined },
      why: [{ key: 'learning.cannotBegin', params: { why: { key: 'learning.noTokens' } } }],
    }),
  );
  isFull = false;
  at.start();
  await until(() => expect(states()).toEqual(['accepted']));
  await until(() => expect(at.view()).toEqual({ state: 'waiting', why: [], run: undefined }));
});
