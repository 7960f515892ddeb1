import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Changes } from '../../../../../src-main/base/changes.ts';
import { identityFromSeed, verify } from '../../../../../src-main/mesh/transport/identity.ts';
import type { Db } from '../../../../../src-main/store/database.ts';
import { FocusRecordingStore } from '../../../../../src-main/store/focus/focus-recordings.ts';
import { FocusScoreStore } from '../../../../../src-main/store/focus/focus-scores.ts';
import { FocusVectorStore } from '../../../../../src-main/store/focus/focus-vectors.ts';
import { byRules } from '../../../../../src-main/subnets/omega/focus/by-rules.ts';
import { Ratings, type RatingsOptions } from '../../../../../src-main/subnets/omega/focus/ratings.ts';
import type { FocusFacts } from '../../../../../src-main/subnets/omega/focus/rules/facts.ts';
import { readScore } from '../../../../../src-main/subnets/omega/focus/signed-score.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import type { RecordingState } from '../../../../../src-preload/contract/focus.ts';
import type { RatingEvent } from '../../../../../src-preload/contract/focus-score.ts';
import { FAKES, factsOf, HONEST } from '../../../../support/focus-zoo.ts';
import { honest, pictureOf } from '../../../../support/judge-server.ts';
import { memoryDatabase } from '../../../../support/memory-database.ts';

const ID = '6f1c1f5e-0000-4000-8000-000000000001';
const OTHER = '6f1c1f5e-0000-4000-8000-000000000002';
const [writing] = HONEST;
const [film] = FAKES;
if (!writing || !film) throw new Error('The zoo is empty.');
const WORK = factsOf(writing, { minutes: 3 });
const lookedAt = (facts: FocusFacts) => ({ seconds: facts.seconds, byRules: byRules(facts) });
const SIGNER = identityFromSeed(Buffer.alloc(32, 7));

const DISK_FULL = new QuarryError({ code: 'DISK_FULL', message: 'Full.' });

let db: Db;
let recordings: FocusRecordingStore;
let store: FocusScoreStore;
let answer: (name: string) => object | Promise<object>;
beforeEach(async () => {
  db = await memoryDatabase();
  recordings = new FocusRecordingStore(db);
  store = new FocusScoreStore(db);
  answer = (name) => honest({ name });
  const about = { description: 'Two dates in each row.', surface: 'tab', width: 64, height: 64 } as const;
  for (const id of [ID, OTHER]) {
    await recordings.begin(
      id,
      { title: `Work ${id.at(-1)}`, ...about, sound: { microphone: false, system: false } },
      { startedAt: 5, signer: '0'.repeat(64) },
    );
    await recordings.end(id, 'finished', 9);
  }
});
afterEach(() => db.destroy());

const optionsOf = (): RatingsOptions => ({
  store,
  vectors: new FocusVectorStore(db),
  recordings: {
    get: async (id) => {
      const found = await recordings.get(id);
      if (!found) throw new Error('There is no such recording.');
      return found;
    },
    byRules: async () => lookedAt(WORK),
    content: async () => 'ab'.repeat(32),
  },
  judge: () => ({
    judge: {
      model: 'looks-7b',
      host: 'a.example',
      ask: async ({ name }, signal) => {
        const said = await answer(name);
        signal.throwIfAborted();
        return JSON.stringify({ seal: 'seal', orders: false, ...said });
      },
    },
  }),
  keyFrames: async () => [{ atMs: 0, jpeg: pictureOf(64, 36) }],
  space: async () => ({
    id: 'model@hash#omega-text-1',
    embed: async (text) => Float32Array.of(Math.cos(text.length / 9), Math.sin(text.length / 9)),
  }),
  signer: SIGNER,
  changes: new Changes(),
  draw: () => ({ token: 'f'.repeat(32), seal: 'seal' }),
  log: pino({ level: 'silent' }),
  now: () => 7,
});
const ratingsOf = (changed: Partial<RatingsOptions> = {}) => new Ratings({ ...optionsOf(), ...changed });

async function rated(ratings: Ratings, id = ID, appeal?: string): Promise<RatingEvent[]> {
  const events: RatingEvent[] = [];
  for await (const event of ratings.rate(id, new AbortController().signal, appeal)) events.push(event);
  return events;
}
const stateOf = async (id = ID) => (await recordings.get(id))?.state;

describe('scoring a recording', () => {
  it('makes it ready, tells of each step, and signs what came of it', async () => {
    const ratings = ratingsOf();
    const events = await rated(ratings);
    expect(events.at(-1)).toMatchObject({ type: 'done', verdict: { state: 'ready', score: 0.57, at: 7 } });
    expect(events.some((event) => event.type === 'step')).toBe(true);
    const rating = await ratings.rating(ID);
    expect(rating.model).toMatchObject({ model: 'looks-7b', host: 'a.example', completion: { score: 0.57 } });
    expect(rating.uniqueness).toMatchObject({ task: 1, description: 1, pictures: 1 });
    expect(rating.older?.parts.length).toBe(5);
    if (!rating.signed) throw new Error('It is not signed.');
    expect(readScore(rating.signed, verify)).toMatchObject({ recording: ID, score: 0.57, content: 'ab'.repeat(32) });
    expect(await store.scores(ID)).toMatchObject([
      { scorer: 'model', version: 'model-1', model: 'looks-7b', host: 'a.example' },
      { scorer: 'rules', version: 'rules-2', model: null },
    ]);
  });

  it('tells what is like what passed before, and forgets what did not pass', async () => {
    const ratings = ratingsOf();
    await rated(ratings);
    await rated(ratings, OTHER);
    expect((await ratings.rating(OTHER)).uniqueness?.task).toBeCloseTo(0, 6);
    await rated(ratings); // its own from before counts for nothing
    expect((await ratings.rating(ID)).uniqueness?.task).toBeCloseTo(0, 6);
    await recordings.remove(OTHER);
    await rated(ratings);
    expect((await ratings.rating(ID)).uniqueness?.task).toBe(1);
  });

  it.each([
    [1.5, false, 0.855],
    [5, false, 1],
    [5, true, 2.85],
  ])('of a boosted task is worth × %d of its list (beyond 1: %s)', async (multiplier, beyondOne, score) => {
    await db.insertInto('focus_tasks').values({ recording: ID, kind: 'boosted', task: 'budget', multiplier }).execute();
    const ratings = ratingsOf({ beyondOne: () => beyondOne });
    expect((await rated(ratings)).at(-1)).toMatchObject({
      verdict: { state: 'ready', score: expect.closeTo(score, 9) },
    });
    expect((await ratings.rating(ID)).model).toMatchObject({ boost: multiplier, completion: { score: 0.57 } });
    await db
      .insertInto('focus_tasks')
      .values({ recording: OTHER, kind: 'suggested', task: 'budget', multiplier })
      .execute();
    expect((await rated(ratings, OTHER)).at(-1)).toMatchObject({ verdict: { score: 0.57 } });
  });

  it('refuses a fake by the rules, and shows it to no model', async () => {
    answer = () => {
      throw new Error('asked');
    };
    const facts = factsOf(film, { minutes: 3 });
    const fake = ratingsOf({ recordings: { ...optionsOf().recordings, byRules: async () => lookedAt(facts) } });
    expect((await rated(fake)).at(-1)).toMatchObject({ verdict: { state: 'rejected', score: 0 } });
  });

  it.each<[string, Partial<RatingsOptions>, string]>([
    ['no model', { judge: () => ({ lack: { key: 'focusScore.unscored.noModel' } }) }, 'No model is set up'],
    [
      'pictures that cannot be taken',
      { keyFrames: () => Promise.reject(DISK_FULL) },
      'could not be taken out of it. Full.',
    ],
    ['no picture', { keyFrames: async () => [] }, 'There is no picture'],
  ])('leaves a draft with %s, and says so', async (_, changed, text) => {
    const [done] = (await rated(ratingsOf(changed))).slice(-1);
    expect(done).toMatchObject({ verdict: { state: 'draft', score: null, text: expect.stringContaining(text) } });
  });

  it('says that it is not known how new it is without an embedding model, or with a broken one', async () => {
    const broken = async () => {
      throw new Error('broken');
    };
    for (const space of [async () => undefined, broken, async () => ({ id: 'x', embed: broken })]) {
      const ratings = ratingsOf({ space });
      await rated(ratings);
      expect((await ratings.rating(ID)).uniqueness).toEqual({ task: null, description: null, pictures: 1 });
    }
  });

  it('can be called off, by whoever is there or by the end of the node', async () => {
    for (const end of [(ratings: Ratings) => ratings.stop(ID), (ratings: Ratings) => ratings.close()]) {
      const ratings = ratingsOf();
      const begun = Promise.withResolvers<void>();
      const held = Promise.withResolvers<object>();
      answer = () => {
        begun.resolve();
        return held.promise;
      };
      const events = rated(ratings);
      await begun.promise;
      expect(await stateOf()).toBe('scoring');
      const over = end(ratings);
      held.resolve(honest({ name: 'annotation' }));
      await over;
      expect((await events).at(-1)).toMatchObject({ verdict: { state: 'draft', text: 'Scoring was stopped.' } });
    }
  });

  it('is done once for all who ask, and goes on when nobody listens', async () => {
    const asked: string[] = [];
    answer = (name) => {
      asked.push(name);
      return honest({ name });
    };
    const ratings = ratingsOf();
    for await (const _ of ratings.rate(ID, new AbortController().signal)) break;
    await Promise.all([rated(ratings), rated(ratings)]);
    expect(await stateOf()).toBe('ready');
    expect(asked.length).toBe(3);
  });

  it('that was killed leaves a draft, which says so', async () => {
    await recordings.setState(ID, 'scoring');
    const ratings = ratingsOf();
    await ratings.open();
    expect(await ratings.verdicts([ID, OTHER, '6f1c1f5e-0000-4000-8000-000000000009'])).toMatchObject([
      { id: ID, state: 'draft', score: null, text: 'Quarry ended while it was being scored.' },
      { id: OTHER, state: 'draft', score: null, text: null, at: null },
    ]);
  });

  it('leaves alone what cannot be scored', async () => {
    for (const state of ['recording', 'interrupted', 'offered', 'sold'] as const) {
      await recordings.setState(ID, state);
      await expect(rated(ratingsOf())).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      expect(await stateOf()).toBe(state);
    }
  });
});

describe('a score', () => {
  it('can be appealed once there is one: the note is kept and it is scored anew, whatever comes of that', async () => {
    const ratings = ratingsOf();
    const asked: string[] = [];
    await expect(rated(ratings, ID, 'It is done.')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await ratings.rating(ID)).toMatchObject({ appeals: [], verdict: { state: 'draft' } });
    await rated(ratings);
    answer = (name) => {
      asked.push(name);
      return name === 'completion' ? { ...honest({ name }), score: 0.03 } : honest({ name });
    };
    const events = await rated(ratings, ID, 'It is done, see minute 2.');
    expect(events.at(-1)).toMatchObject({ verdict: { state: 'rejected', score: 0.03 } });
    expect((await ratings.rating(ID)).appeals).toEqual([{ at: 7, note: 'It is done, see minute 2.' }]);
    expect(asked).toContain('completion');
  });

  it('goes with the task that it was for', async () => {
    const ratings = ratingsOf();
    await rated(ratings);
    await ratings.beforeChange(ID, { title: 'Work 1' });
    expect(await stateOf()).toBe('ready');
    await ratings.beforeChange(ID, { title: 'Other work' });
    expect(await ratings.rating(ID)).toMatchObject({
      verdict: { state: 'draft', score: null },
      model: null,
      signed: null,
    });
    for (const state of ['scoring', 'offered', 'sold'] satisfies RecordingState[]) {
      await recordings.setState(ID, state);
      await expect(ratings.beforeChange(ID, { title: 'Yet other work' })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
    }
  });

  it('goes with its recording', async () => {
    const ratings = ratingsOf();
    await rated(ratings);
    await rated(ratings, ID, 'A note.');
    await recordings.remove(ID);
    expect([await store.scores(ID), await store.verdicts([ID]), await store.appeals(ID)]).toEqual([[], [], []]);
  });
});
