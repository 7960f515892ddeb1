import pino from 'pino';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Core } from '../../../../../src-main/app/parts/core.ts';
import { openFocusScores } from '../../../../../src-main/app/parts/focus/focus-score.ts';
import { Changes } from '../../../../../src-main/base/changes.ts';
import { ConsentLog, type Leaving } from '../../../../../src-main/focus/consent/consent-log.ts';
import type { Library } from '../../../../../src-main/focus/library/library.ts';
import { identityFromSeed } from '../../../../../src-main/mesh/transport/identity.ts';
import type { Db } from '../../../../../src-main/store/database.ts';
import { FocusRecordingStore } from '../../../../../src-main/store/focus/focus-recordings.ts';
import { FocusSentStore } from '../../../../../src-main/store/focus/focus-tasks.ts';
import type { RecordingState } from '../../../../../src-preload/contract/focus.ts';
import { factsOf, HONEST } from '../../../../support/focus-zoo.ts';
import { honest, type JudgeAnswer, type JudgeAsked, JudgeServer, pictureOf } from '../../../../support/judge-server.ts';
import { memoryDatabase } from '../../../../support/memory-database.ts';

const ID = '6f1c1f5e-0000-4000-8000-000000000001';
const KEY = 'a key that nobody shall read';
const [writing] = HONEST;
if (!writing) throw new Error('The zoo is empty.');
const FACTS = factsOf(writing, { minutes: 3 });

let db: Db;
let server: JudgeServer;
let answer: (asked: JudgeAsked) => JudgeAnswer;
let logged: string;
/** Recordings before it, newest first. */
let earlier: { id: string; title: string; startedAt: number; activeMs: number }[];
const closing: (() => void | Promise<void>)[] = [];
beforeEach(async () => {
  db = await memoryDatabase();
  answer = honest;
  server = await new JudgeServer((asked) => answer(asked)).open();
  logged = '';
  earlier = [];
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await server.close();
  await db.destroy();
});

async function open(
  scorer: object,
  note: ConsentLog['note'] = async () => {},
  { stays = true, state = 'draft' as RecordingState } = {},
) {
  const store = new FocusRecordingStore(db);
  const about = { title: 'Work', description: '', surface: 'tab', width: 64, height: 64 } as const;
  await store.begin(
    ID,
    { ...about, sound: { microphone: false, system: false } },
    { startedAt: 5, signer: '0'.repeat(64) },
  );
  await store.end(ID, 'finished', 9);
  await store.setState(ID, state);
  const library = {
    get: async (id: string) => ({ ...(await store.get(id)), activeMs: FACTS.activeMs }),
    list: async ({ before, limit }: { before: number; limit: number }) => {
      const found = earlier.filter(({ startedAt }) => startedAt < before);
      return { recordings: found.slice(0, limit), more: found.length > limit };
    },
    activity: async () => FACTS.seconds,
    check: async () => FACTS.chain,
  } as unknown as Library;
  const write = (line: string) => {
    logged += line;
  };
  const log = pino({ level: 'trace' }, { write });
  const core = {
    ...{ db, log, identity: identityFromSeed(Buffer.alloc(32, 7)), changes: new Changes() },
    settings: { follow: () => ({ now: scorer }) },
    until: (signal?: AbortSignal) => signal ?? new AbortController().signal,
    onClose: (close: () => void | Promise<void>) => void closing.push(close),
  } as unknown as Core;
  const keyFrames = async () => [{ atMs: 0, jpeg: pictureOf() }];
  const embedding = { model: async () => undefined };
  return await openFocusScores(core, { library, store, embedding, keyFrames, stays, consent: { note } });
}

async function rated({ ratings }: Awaited<ReturnType<typeof open>>) {
  for await (const event of ratings.rate(ID, new AbortController().signal))
    if (event.type === 'done') return event.verdict;
  return undefined;
}

it('scores by a model on this computer, tells what it was sent, and keeps its key to itself', async () => {
  const sent: Leaving[] = [];
  const part = await open({ baseUrl: server.url, model: 'looks-7b', apiKey: KEY }, async (one) => void sent.push(one));
  expect(part.scorer()).toMatchObject({ model: 'looks-7b', isHere: true, lack: null, asks: null });
  expect(await rated(part)).toMatchObject({ state: 'ready', score: 0.57 });
  expect(sent.map(({ what, to }) => [what, to])).toEqual(
    ['stills', 'text', 'text'].map((what) => [what, new URL(server.url).host]),
  );
  expect(server.asked[0]?.authorization).toBe(`Bearer ${KEY}`);
  expect(logged).toContain('is shown to a model');
  expect(logged).not.toContain(KEY);
  expect(logged).not.toContain(Buffer.from(pictureOf()).toString('base64').slice(0, 40));
  const kept = JSON.stringify([await part.ratings.rating(ID), part.scorer()]);
  expect(kept).not.toContain(KEY);
});

it('sends nothing elsewhere without a yes to just that address', async () => {
  const sent: Leaving[] = [];
  const elsewhere = { baseUrl: 'https://api.example.com/v1', model: 'looks-7b', picturesTo: 'https://other.example' };
  const part = await open(elsewhere, async (one) => void sent.push(one));
  expect(part.scorer()).toMatchObject({ isHere: false, asks: 'https://api.example.com', host: 'api.example.com' });
  expect(await rated(part)).toMatchObject({ state: 'draft', score: null, text: expect.stringContaining('not agreed') });
  expect(sent).toEqual([]);
});

/** What is asked of another computer comes to the server of this test. */
function comesFrom(origin: string): void {
  const fetch = globalThis.fetch;
  vi.stubGlobal('fetch', (url: URL | string, init?: RequestInit) =>
    fetch(String(url).replace(origin, server.origin), init),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
}

it('is written down before it goes to another computer, once for each question; and not what stays on this one', async () => {
  const log = new ConsentLog(new FocusSentStore(db), () => 5);
  const note: ConsentLog['note'] = (leaving, signal) => log.note(leaving, signal);
  comesFrom('https://judge.example');
  answer = () => ({ status: 401, body: '{}' });
  const away = { baseUrl: 'https://judge.example/v1', model: 'looks-7b', picturesTo: 'https://judge.example' };
  const part = await open(away, note);
  expect(await rated(part)).toMatchObject({ state: 'draft', score: null });
  expect(server.asked).toHaveLength(1);
  const line = { at: 5, recording: ID, what: 'stills', to: 'judge.example', by: 'click', bytes: expect.any(Number) };
  expect(await log.list({ limit: 10 })).toEqual([line]);
  Object.assign(away, { baseUrl: server.url });
  await rated(part);
  expect(server.asked).toHaveLength(2);
  expect(await log.list({ limit: 10 })).toHaveLength(1);
});

it('does not go while it is being written down, nor where that fails in the end', async () => {
  const full = () =>
    new Promise<void>((_, reject) => {
      setImmediate(() => reject(new Error('The disk is full.')));
    });
  const part = await open({ baseUrl: server.url, model: 'looks-7b' }, full);
  expect(await rated(part)).toMatchObject({ state: 'draft', score: null });
  expect(server.asked).toEqual([]);
});

it('has no score where nobody listens any more', async () => {
  const part = await open({ baseUrl: server.url.replace('/v1', '/gone'), model: 'looks-7b' });
  await server.close();
  expect(await rated(part)).toMatchObject({ state: 'draft', score: null });
  server = await new JudgeServer(honest).open();
});

it('knows a copy although many recordings without length were made since', async () => {
  earlier = Array.from({ length: 120 }, (_, index) => {
    return { id: `short ${index}`, title: 'Short', startedAt: 4 - index / 1_000, activeMs: 1_000 };
  });
  earlier.push({ id: 'first', title: 'The first', startedAt: 1, activeMs: FACTS.activeMs });
  const { findings } = await (await open({})).score(ID, new AbortController().signal);
  expect(findings.find(({ rule }) => rule === 'copy')).toMatchObject({
    outcome: 'failed',
    text: expect.stringContaining('The first'),
  });
});

it.each([
  ['a node that stays makes a draft of what was being scored when one ended', true, 'draft'],
  ['a single command leaves alone what another node scores', false, 'scoring'],
] as const)('%s', async (_, stays, state) => {
  const { ratings } = await open({}, undefined, { stays, state: 'scoring' });
  expect(await ratings.verdicts([ID])).toMatchObject([{ state }]);
});
