import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'smol-toml';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { ignoring } from '../base/swallowed.ts';
import { BootstrapNode } from '../mesh/transport/bootstrap.ts';
import type { Config } from '../settings/config.ts';
import type { App } from './app.ts';
import { createApp } from './create-app.ts';
import type { WantedParts } from './domains.ts';
import { NO_MINING } from './parts/mining.ts';
import { need } from './parts/need.ts';

/** What the demonstration shows, one thing after the other. */
export type DemoScene =
  /** `screens` is a link that lets a browser in, once. */
  | { type: 'ready'; worker: string; client: string; model: string; url: string; screens: string }
  | { type: 'question'; text: string }
  | { type: 'answer'; text: string; tokens: number; ms: number; firstTokenMs: number }
  /** `owed`: what the client owes the worker from now on, in all. */
  | { type: 'credits'; cost: number; owed: number; points: number; workerPoints: number; tier: string }
  | { type: 'failure'; error: QuarryError };

const QUESTIONS = [
  'What is a mesh?',
  'How do I earn credits?',
  'What does a worker do?',
  'Why should I trust another computer?',
  'Which model should I serve?',
];
const PAUSE_MS = 5_000;
const MAX_TOKENS = 64;
/** Milliseconds in which the worker should have booked the receipt. */
const BOOKING_MS = 5_000;
const WORKER_PARTS = { engine: true, mesh: true, worker: true, server: true };
const CLIENT_PARTS = { mesh: true, server: true };
/** The demonstration may go on for days; what a stranger's network is given by default would end it after a minute. */
const DEMO_GIFT = 100_000;

/**
 * A complete mesh in this process, on the loopback interface alone: DHT bootstrap, a worker with a model, and a client
 * that asks it every few seconds, until the signal aborts. Its data folders are thrown away.
 */
export async function* demo(config: Config, signal: AbortSignal): AsyncGenerator<DemoScene, void, undefined> {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'quarry-demo-'));
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const bootstrap = new BootstrapNode({ port: 0 });
  resources.defer(() => bootstrap.close());
  await bootstrap.open();
  const shared = demoConfig(config, `${bootstrap.address.host}:${bootstrap.address.port}`);
  const worker = resources.use(await open({ ...shared, dataDir: join(folder, 'worker'), port: 0 }, WORKER_PARTS));
  const client = resources.use(
    await open({ ...shared, dataDir: join(folder, 'client'), role: 'client' }, CLIENT_PARTS),
  );
  yield await opening(worker, client);
  for (let turn = 0; !signal.aborted; turn++) {
    yield* askOnce(worker, client, QUESTIONS[turn % QUESTIONS.length] ?? '', signal);
    await sleep(PAUSE_MS, undefined, { signal }).catch(ignoring('the loop sees the signal'));
  }
}

/** Nothing of the user's own mesh, and none of the limits that would end a demonstration. */
function demoConfig(config: Config, bootstrap: string): Config {
  return {
    ...config,
    role: 'miner',
    nodeName: 'demo-worker',
    showWelcome: false,
    bootstrap: [bootstrap],
    mesh: { scoreLogsMb: config.mesh.scoreLogsMb },
    credits: { ...config.credits, gift: DEMO_GIFT },
    limits: { ...config.limits, requestsPerMinute: { ...config.limits.requestsPerMinute, newcomer: 60, bronze: 60 } },
    policy: { ...config.policy, onBattery: 'off', userActive: 'off', otherGpu: 'off', heat: 'off', quietAction: 'off' },
  };
}

/** A node whose settings stand in its file: its screens show what it really has. */
async function open(config: Config, parts: WantedParts): Promise<App> {
  const { dataDir, ...settings } = config;
  await mkdir(dataDir);
  const given = JSON.parse(JSON.stringify(settings)); // leaves out what is not set
  await writeFile(join(dataDir, 'quarry.toml'), stringify(given), { mode: 0o600 });
  return await createApp(config, parts);
}

async function opening(worker: App, client: App): Promise<DemoScene> {
  await worker.mining?.switch.start();
  const [{ engine }, { url = '' }] = await Promise.all([worker.node.status(), client.node.status()]);
  return {
    type: 'ready',
    worker: worker.identity.id,
    client: client.identity.id,
    model: engine.model?.name ?? 'none',
    url,
    screens: worker.door.entry().url,
  };
}

async function* askOnce(worker: App, client: App, text: string, signal: AbortSignal): AsyncGenerator<DemoScene> {
  yield { type: 'question', text };
  const before = await client.credits.summary();
  const patience = new AbortController();
  const booked = once(need(worker.mining, NO_MINING).work, 'booked', { signal: patience.signal });
  try {
    const messages = [{ role: 'user' as const, content: text }];
    for await (const event of client.inference.ask({ target: 'mesh', messages, maxTokens: MAX_TOKENS }, signal)) {
      if (event.type !== 'done') continue;
      const { text: answer, completionTokens: tokens, totalMs: ms, firstTokenMs } = event.result;
      yield { type: 'answer', text: answer, tokens, ms, firstTokenMs };
    }
    setTimeout(() => patience.abort(), BOOKING_MS).unref();
    const [, { points }] = await booked;
    const [mine, theirs] = await Promise.all([client.credits.summary(), worker.credits.summary()]);
    const { spent: owed } = mine;
    const cost = owed - before.spent;
    yield { type: 'credits', cost, owed, points, workerPoints: theirs.points, tier: theirs.tier };
  } catch (error) {
    patience.abort();
    await booked.catch(ignoring('what went wrong first is told'));
    if (!signal.aborted) yield { type: 'failure', error: QuarryError.from(error) };
  }
}
