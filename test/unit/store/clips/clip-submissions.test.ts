import { expect, it, onTestFinished } from 'vitest';
import type { StoredLook } from '../../../../src-main/store/clips/clip-looks.ts';
import {
  ClipSubmissionStore,
  type ReceivedSubmission,
  type SentSubmission,
} from '../../../../src-main/store/clips/clip-submissions.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

async function store(most?: ConstructorParameters<typeof ClipSubmissionStore>[1]) {
  const db = await memoryDatabase();
  onTestFinished(() => db.destroy());
  return new ClipSubmissionStore(db, most);
}

const submission = (key: string, changed: Partial<ReceivedSubmission> = {}): ReceivedSubmission => ({
  ...{ key, role: 'received', kind: 'videos', at: 1, peer: 'm', topic: 'owls', score: 0.3, deep_check: 'unlooked' },
  ...{ looked_source: null, unseen: null },
  ...{ clip_count: 8, counted: 4, description_sum: 1, topic_sum: 2, novelty_sum: 3, reason: null, clips: '[]' },
  ...changed,
});
const sent = (key: string, changed: Partial<SentSubmission> = {}): SentSubmission => ({
  ...{ key, kind: 'videos', at: 1, peer: 'm', topic: 'owls', clip_count: 8, clips: '[]' },
  ...changed,
});
const vector = (number: number) => Float32Array.from({ length: 4 }, (_, at) => number + at);
const page = { space: 's', kind: 'videos' as const, after: null, rows: 10 };

it('what is kept of the same key again takes the place of what was there, with its vectors', async () => {
  const kept = await store();
  await kept.keep(
    submission('a'),
    [
      { id: '1', vector: vector(1) },
      { id: '2', vector: vector(2) },
    ],
    's',
  );
  const gone = await kept.keep(submission('a', { score: -5 }), [{ id: '2', vector: vector(7) }], 's');
  expect(gone).toEqual([{ id: '1', space: 's', kind: 'videos' }]);
  expect(await kept.list({ rows: 10 })).toMatchObject([{ key: 'a', score: -5 }]);
  expect(await kept.vectors(page)).toEqual([{ id: '2', vector: vector(7) }]);
  expect(await kept.vectorsOf('a')).toEqual(['2']);
});

it('nothing of it is kept where something of it cannot be', async () => {
  const kept = await store();
  await kept.keep(submission('a'), [{ id: '1', vector: vector(1) }], 's');
  await expect(kept.keep(submission('b'), [{ id: '1', vector: vector(2) }], 's')).rejects.toThrow();
  expect(await kept.list({ rows: 10 })).toHaveLength(1);
});

it('pages go on in the order of ids, of one space and kind', async () => {
  const kept = await store();
  await kept.keep(
    submission('a'),
    ['3', '1', '2'].map((id) => ({ id, vector: vector(0) })),
    's',
  );
  await kept.keep(submission('b', { kind: 'sounds' }), [{ id: '4', vector: vector(0) }], 's');
  await kept.keep(submission('c'), [{ id: '5', vector: vector(0) }], 'other');
  expect((await kept.vectors({ ...page, rows: 2 })).map(({ id }) => id)).toEqual(['1', '2']);
  expect((await kept.vectors({ ...page, after: '2' })).map(({ id }) => id)).toEqual(['3']);
});

it('says who has handed in what, the best first, and what was sent is not among it', async () => {
  const kept = await store();
  await kept.keep(submission('a', { peer: 'good', at: 9 }), [], 's');
  await kept.keep(
    submission('b', { peer: 'good', score: 0.5, counted: 0, description_sum: 0, topic_sum: 0, novelty_sum: null }),
    [],
    's',
  );
  await kept.keep(submission('c', { peer: 'liar', score: -5, deep_check: 'lie', counted: 0 }), [], 's');
  await kept.keepSent(sent('d', { peer: 'asker' }), ['x']);
  expect(await kept.miners()).toEqual([
    {
      miner: 'good',
      submissions: 2,
      clips: 16,
      meanScore: 0.4,
      meanDescriptionRelevance: 0.25,
      meanTopicRelevance: 0.5,
      meanNovelty: 0.75,
      lies: 0,
      lastAt: 9,
    },
    {
      miner: 'liar',
      submissions: 1,
      clips: 8,
      meanScore: -5,
      meanDescriptionRelevance: null,
      meanTopicRelevance: null,
      meanNovelty: null,
      lies: 1,
      lastAt: 1,
    },
  ]);
});

it('lists the newest first, of one role or both, page by page', async () => {
  const kept = await store();
  for (const [at, role] of (['received', 'sent', 'received', 'sent'] as const).entries())
    await kept.keep(submission(`${at}`, { role }), [], 's');
  const keys = async (how: Parameters<typeof kept.list>[0]) => (await kept.list(how)).map(({ key }) => key);
  expect(await keys({ rows: 3 })).toEqual(['3', '2', '1']);
  expect(await keys({ role: 'sent', rows: 3 })).toEqual(['3', '1']);
  const [, second] = await kept.list({ rows: 2 });
  expect(await keys({ before: second!.number, rows: 9 })).toEqual(['1', '0']);
});

it('tells the last looks, of one or of all others, at each source', async () => {
  const kept = await store();
  for (const [at, check] of (['right', 'unlooked', 'notFetched', 'lie'] as const).entries())
    await kept.keep(submission(`${at}`, { deep_check: check, peer: at % 2 ? 'odd' : 'even' }), [], 's');
  const checks = (looks: StoredLook[]) => looks.map(({ deep_check }) => deep_check);
  expect(checks(await kept.lastChecks(9))).toEqual(['lie', 'notFetched', 'right']);
  expect(checks(await kept.lastChecks(1))).toEqual(['lie']);
  expect(checks(await kept.lastChecks(9, { of: 'even' }))).toEqual(['notFetched', 'right']);
  expect(checks(await kept.lastOfOthers('even'))).toEqual(['lie']);
  expect(checks(await kept.lastOfOthers('odd'))).toEqual(['notFetched']);
  const blocked = { deep_check: 'notFetched', looked_source: 'archive', unseen: 'blocked', peer: 'odd' } as const;
  await kept.keep(submission('4', blocked), [], 's');
  expect(await kept.lastOfOthers('even')).toMatchObject([{ deep_check: 'lie', looked_source: null }, blocked]);
});

it('forgets the oldest of what is too much', async () => {
  const kept = await store({ submissions: 2, vectors: 3, handedIn: 1 });
  for (let at = 0; at < 5; at++) {
    await kept.keep(submission(`${at}`, { at }), [{ id: `${at}`, vector: vector(at) }], 's');
    await kept.keepSent(sent(`sent ${at}`, { peer: 'a', at }), [`${at}`]);
  }
  const gone = await kept.trim();
  expect(gone.map(({ id }) => id).sort()).toEqual(['0', '1']);
  expect((await kept.list({ rows: 10 })).map(({ key }) => key)).toEqual(['sent 4', '4']);
  expect((await kept.vectors(page)).map(({ id }) => id)).toEqual(['2', '3', '4']);
  expect(await kept.handedIn('a', ['0', '3', '4'])).toEqual(new Set(['4']));
  await kept.trim();
  expect(await kept.list({ rows: 10 })).toHaveLength(2);
});

it('remembers what came of looks at a miner longer than what it has handed in, however many others there are', async () => {
  const kept = await store({ submissions: 10, looks: 40 });
  const looked = { deep_check: 'notFetched', looked_source: 'archive', unseen: 'gone' } as const;
  for (let at = 0; at < 3; at++) await kept.keep(submission(`hides ${at}`, { ...looked, peer: 'hides' }), [], 's');
  for (let at = 0; at < 30; at++) await kept.keep(submission(`${at}`, { peer: `other ${at}` }), [], 's');
  await kept.trim();
  expect(await kept.list({ rows: 99 })).toHaveLength(10);
  expect(await kept.lastChecks(9, { of: 'hides' })).toMatchObject([looked, looked, looked]);
  expect(await kept.lastOfOthers('somebody')).toMatchObject([{ peer: 'hides', ...looked }]);
});

it('remembers no more looks at one miner than are looked at, and no more of all than there is room for', async () => {
  const kept = await store({ looks: 20, looksOfOne: 5 });
  const look = (key: string, peer: string) => kept.keep(submission(key, { deep_check: 'right', peer }), [], 's');
  await look('first', 'seldom');
  for (let at = 0; at < 9; at++) await look(`${at}`, 'often');
  expect(await kept.lastChecks(99, { of: 'often' })).toHaveLength(5);
  expect(await kept.lastChecks(99, { of: 'seldom' })).toHaveLength(1);
  for (let at = 0; at < 30; at++) await look(`other ${at}`, `other ${at}`);
  await kept.trim();
  expect(await kept.lastChecks(99)).toHaveLength(20);
  expect(await kept.lastChecks(99, { of: 'often' })).toEqual([]);
});

it('what is judged again is one look', async () => {
  const kept = await store();
  await kept.keep(submission('a', { deep_check: 'notFetched' }), [], 's');
  await kept.keep(submission('a', { deep_check: 'right' }), [], 's');
  expect(await kept.lastChecks(9, { of: 'm' })).toMatchObject([{ deep_check: 'right' }]);
  await kept.keep(submission('a'), [], 's');
  expect(await kept.lastChecks(9, { of: 'm' })).toEqual([]);
});

it('forgets a few at a time: none who keeps something waits for hundreds to go', async () => {
  const kept = await store({ vectors: 100 });
  const vectors = (key: number) => Array.from({ length: 8 }, (_, at) => ({ id: `${key} ${at}`, vector: vector(at) }));
  let most = 0;
  for (let at = 0; at < 200; at++)
    most = Math.max(most, (await kept.keep(submission(`${at}`, { at }), vectors(at), 's')).length);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(10 * 8);
});

it('hears no miner of whom nothing was looked at for long: whoever has left would speak for good', async () => {
  const kept = await store({ looksHeard: 4 });
  const look = (key: string, peer: string) => kept.keep(submission(key, { deep_check: 'right', peer }), [], 's');
  for (const peer of ['gone 1', 'gone 2', 'gone 3']) await look(peer, peer);
  for (let at = 0; at < 6; at++) await look(`${at}`, `there ${at % 2}`);
  expect((await kept.lastOfOthers('m')).map(({ peer }) => peer).sort()).toEqual(['there 0', 'there 1']);
});
