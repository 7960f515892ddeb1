import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { LearningRunStore } from '../../src-main/store/learning/learning-run-store.ts';
import { TINY_MODEL } from '../support/engine.ts';
import { putWords } from '../support/learning/put-words.ts';
import { ownToken, temporaryFolder } from '../support/quarry-process.ts';
import { raw } from '../support/server-harness.ts';

/*
 * Programs of CLaaS, over HTTP, at a whole node: its engine and its trainer are real, and what the tiny model says is scripted. It is never left alone: what
 * it learns by itself waits.
 */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: App;
let url: string;
let client: OpenAI;
let asOwner: { authorization: string };

beforeAll(async () => {
  folder = await temporaryFolder();
  const flags = { dataDir: folder.path, model: TINY_MODEL, port: 0 };
  const engine = { QUARRY_THREADS: '1', QUARRY_CONTEXT_SIZE: '2048', QUARRY_GPU_LAYERS: '0' };
  // Quiet all day: it never has time by itself, however fast the answers are given.
  const env = { ...engine, QUARRY_LEARNING_STEPS: '8', QUARRY_POLICY_QUIET_HOURS: '00:00-12:00,12:00-00:00' };
  node = await createApp(loadConfig({ flags, env }), { engine: true, server: true });
  putWords(node.engine?.slot.current as LocalBackend, ({ inHindsight, adapter = '', seed, question }) => {
    const said = `Peer ${seed % 7} has a prompt and the mesh is ${['long', 'hot', 'short'][question.length % 3]}.`;
    if (inHindsight) return `${said} Alpha. Never.`;
    return /step-8|personal-\d/.test(adapter) ? `${said} Alpha.` : said;
  });
  url = node.server?.url ?? '';
  const token = await ownToken(folder.path);
  asOwner = { authorization: `Bearer ${token}` };
  client = new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 });
});
afterAll(async () => {
  await node?.[Symbol.asyncDispose]();
  await folder.remove();
});

const post = (path: string, body: object, headers = {}) =>
  raw(`${url}${path}`, { body, headers: { ...asOwner, ...headers } });
const contract = () => createRouterClient(node.contract);
/** Slow enough that nothing but what is scripted changes. */
const training = { learning_rate: 1e-5 };

/** Asks, and says what should be different. */
async function feedback(text: string, more: { wait?: boolean; key?: string; training?: object } = {}) {
  const prompt = 'What is a peer?';
  const messages = [{ role: 'user' as const, content: prompt }];
  const answer = await client.chat.completions.create({ model: 'local', messages, temperature: 0 });
  const response = answer.choices[0]?.message.content ?? '';
  const item = { lora_id: 'personal-latest', prompt, response, feedback: text, training: more.training ?? training };
  const { wait = true, key } = more;
  const body = { requests: [item], orchestration: { sleep_before: true, wake_after: true, wait } };
  const send = () => post('/v1/feedback', body, key === undefined ? {} : { 'idempotency-key': key });
  if (key !== undefined) again = send;
  return await send();
}

/** Sends once more what was sent last with a key. */
let again: () => ReturnType<typeof post>;

const messages = [{ role: 'user', content: 'What is Quarry?' }];
const score = async (model: string) =>
  (await post('/v1/score', { model, messages, completion: ' The mesh is a peer.' })).json.logprobs;

it('learns from feedback before it answers, in the original’s shapes, and a way back from it', async () => {
  const init = await post('/v1/lora/init', { lora_id: 'personal', lora_r: 4, lora_alpha: 8 });
  expect([init.status, init.json]).toEqual([200, { lora_id: 'personal-init' }]);
  expect((await raw(`${url}/v1/health`)).json).toEqual({ status: 'healthy', worker: { status: 'healthy' } });
  const before = await score('local');

  const { status, json } = await feedback('Say «Alpha» in every answer.', { key: 'once' });
  expect([status, json.reason]).toEqual([200, null]);
  const numbers = (...names: string[]) => Object.fromEntries(names.map((name) => [name, expect.any(Number)]));
  expect(json).toEqual({
    ...{ status: 'ok', lora_id: 'personal-latest', feedback_log_path: '', batch_size: 1 },
    ...{
      request_id: expect.any(String),
      run: expect.stringMatching(/^[0-9a-f]{16}$/),
      feedback_ids: [1],
      reason: null,
    },
    vllm: { slept: false, woke: false },
    distill_result: {
      lora_id: expect.stringMatching(/^personal-\d{8}-\d{6}$/),
      metadata: {
        ...numbers('total_loss', 'distill_loss', 'kl_reg', 'grad_norm', 'tokens_processed', 'capability'),
        ...{ ...numbers('capability_before'), steps: 8, compliance: 1, compliance_before: 0 },
      },
    },
    timing_ms: { sleep: 0, wake: 0, logprobs: 0, ...numbers('distill', 'save', 'total') },
  });
  expect(json.timing_ms.distill).toBeGreaterThan(0);
  expect(json.timing_ms.total).toBeGreaterThanOrEqual(json.timing_ms.distill);
  const { before: was, after: is, curve } = await contract().learning.run({ id: json.run });
  for (const { margin, marginSum } of [was, is, curve.at(-1)].map((measured) => measured ?? {})) {
    expect([margin, marginSum]).toEqual([expect.any(Number), expect.any(Number)]);
  }
  const run = await new LearningRunStore(node.db).get(json.run);
  expect(JSON.parse(run?.settings ?? '')).toMatchObject({ learningRate: 1e-5, objective: 'distillation', steps: 8 });

  // It answers now, here and by name; what was is a step back, to the bit.
  const after = await score('local');
  expect(after).not.toEqual(before);
  expect(await score('personal-latest')).toEqual(after);
  expect(await score('base')).toEqual(before); // that of the first version changes nothing
  // Of three times one shows how quick it is: a busy machine stands still now and then.
  const took: number[] = [];
  for (let time = 1; time <= 3; time++) {
    if (time > 1) await contract().learning.redo({});
    const begun = performance.now();
    expect((await contract().learning.undo({})).version?.id).toBe('personal-init');
    took.push(performance.now() - begun);
  }
  expect(Math.min(...took)).toBeLessThan(1_000);
  expect(await score('local')).toEqual(before);
  await contract().learning.redo({});
  expect(await score('local')).toEqual(after);
  const version = json.distill_result.lora_id;
  expect((await raw(`${url}/v1/lora?prefix=personal`, { headers: asOwner })).json.loras.sort()).toEqual(
    [version, 'personal-init', 'personal-latest'].sort(),
  );
});

it('never says «ok» of what was undone since', async () => {
  await contract().learning.undo({});
  const { status, json } = await again();
  expect([status, json.status, json.distill_result.lora_id]).toEqual([200, 'rolled-back', 'personal-init']);
  expect(json.reason).toMatch(/not in use any more/);
  await contract().learning.redo({});
  expect((await again()).json).toMatchObject({ status: 'ok', reason: null });
});

it('what is sent twice is learnt once', async () => {
  const { status, json } = await again();
  expect([status, json.status, json.feedback_ids]).toEqual([200, 'ok', [1]]);
  const other = await feedback('Say «Beta» in every answer.', { key: 'once' });
  expect([other.status, other.json.error.param]).toEqual([422, 'Idempotency-Key']);
  expect(other.json.detail).toContain('something else');
  expect(await contract().learning.runs({ limit: 9 })).toHaveLength(1);
});

it('never says «ok» of what was not learnt, and goes on with what was', async () => {
  const [{ id: inUse } = { id: '' }] = (await contract().learning.versions({})).versions;
  const { status, json } = await feedback('Say «Never» in every answer.');
  expect([status, json.status, json.distill_result.lora_id]).toEqual([200, 'rolled-back', inUse]);
  expect(json.reason).toMatch(/No more answers are as they were wanted/);
  expect((await contract().learning.feedback({ limit: 1 })).feedback).toMatchObject([{ state: 'rejected' }]);
});

it('says what a run would take by each kind of trainer, and that it does not fit', async () => {
  const of = async (trainer: 'here' | 'torch' | 'paired') => await contract().learning.outlook({ trainer });
  const forecast = { memory: expect.any(Number), secondsPerStep: expect.any(Number) };
  const able = { steps: 8, offers: [{ node: null, forecast, error: null }] };
  expect([await of('here'), await of('torch'), await of('paired')]).toEqual([able, able, { steps: 8, offers: [] }]);
  await contract().settings.set({ changes: { 'learning.memoryMb': 256 } });
  expect(await of('here')).toMatchObject({ offers: [{ forecast: null, error: { code: 'OUT_OF_MEMORY' } }] });
  await contract().settings.set({ changes: { 'learning.memoryMb': null } });
});

it('tells Prometheus how runs have ended', async () => {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
  const figures = Object.fromEntries(
    lines.flatMap((line) => (/^(quarry_learning_\S+) (\S+)$/.exec(line)?.slice(1) ? [line.split(' ')] : [])),
  );
  expect(figures).toMatchObject({
    'quarry_learning_runs_total{outcome="accepted"}': '1',
    'quarry_learning_runs_total{outcome="rolled-back"}': '1',
    'quarry_learning_runs_total{outcome="failed"}': '0',
    'quarry_learning_feedback{state="waiting"}': '0',
    quarry_learning_running: '0',
  });
  expect(Number(figures['quarry_learning_seconds_total{outcome="accepted"}'])).toBeGreaterThan(0);
});

it('does not lose what own probes ask for', async () => {
  const probes = join(folder.path, 'probes.jsonl');
  await contract().settings.set({ changes: { 'learning.probes': probes } });
  const unread = await feedback('Say «Never» now.');
  expect([unread.status, unread.json.detail]).toEqual([
    500,
    expect.stringContaining('(learning.probes) cannot be read'),
  ]);
  await writeFile(probes, '{"question": "What is our club called?", "right": ["Peers"]}');
  const { json } = await feedback('Say «Never» again in every answer.');
  const { verdict } = (await new LearningRunStore(node.db).get(json.run)) ?? {};
  expect(JSON.parse(verdict ?? '').after.capability).toHaveProperty('own: What is our club called?');
  await contract().settings.set({ changes: { 'learning.probes': null } });
});

it('what nobody waits for waits until this computer has time, with how it is to be learnt', async () => {
  const { status, json } = await feedback('Say «Alpha» once more.', { wait: false, training: { alpha: 0.9 } });
  expect([status, json.status, json.distill_result]).toEqual([202, 'queued', null]);
  const [given] = await node.db.selectFrom('learning_feedback').selectAll().orderBy('id', 'desc').execute();
  expect(given).toMatchObject({ state: 'waiting', training: '{"alpha":0.9}', run: null });
});

it('learns nothing while a person has paused it', async () => {
  await contract().learning.pause();
  const health = await raw(`${url}/v1/health`);
  expect(health.json).toMatchObject({ status: 'degraded', worker: { error: 'Learning is paused on this node.' } });
  const refused = await feedback('Say «Alpha» again.');
  expect([refused.status, refused.json.detail]).toEqual([503, 'Learning is paused on this node.']);
});

it('knows no answer that it did not give, and no adapter that is not there', async () => {
  const item = { lora_id: 'personal-latest', prompt: 'Why?', response: 'Nobody said this.', feedback: 'Hm.' };
  expect((await post('/v1/feedback', { requests: [item] })).status).toBe(404);
  const other = { ...item, response: 'Peer 0 has a prompt and the mesh is long.', lora_id: 'never-latest' };
  expect((await post('/v1/feedback', { requests: [other] })).status).toBe(404);
});
