import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../../../src-main/bench/made-models/seeded-random.ts';
import {
  MeshClient,
  type MeshClientOptions,
  type MeshGenerateOptions,
} from '../../../../src-main/mesh/asking/client.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { MemoryClientCredits } from '../../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { WirelessNetwork } from '../../../support/wireless-peer.ts';
import { LIES, type Manner, WirelessWorker } from '../../../support/wireless-worker.ts';

/** From being asked to the end of an answer by an honest worker, in virtual milliseconds. */
const HONEST_MS = 210;
const CLIENTS = 4;
const REQUESTS = 40;

const open: { close(): void | Promise<void> }[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});

afterEach(async () => {
  for (const resource of open.splice(0)) await resource.close();
  vi.useRealTimers();
});

function team(manners: readonly Manner[]): WirelessWorker[] {
  const workers = manners.map((manner) => new WirelessWorker(manner));
  open.push(...workers);
  return workers;
}

/** A client that is connected to the workers and has heard how they are. */
function clientOf(workers: readonly WirelessWorker[], options: Partial<MeshClientOptions> = {}): MeshClient {
  const wireless = new WirelessNetwork();
  for (const worker of workers) wireless.join(worker);
  const identity = randomIdentity();
  const credits = new MemoryClientCredits(identity);
  const client = new MeshClient({ network: wireless.network, identity, credits, log: testLog, ...options });
  client.open();
  for (const worker of workers) worker.beat();
  return client;
}

interface Outcome {
  /** The answer, or the code of the error. */
  said: string;
  ms: number;
}

async function ask(client: MeshClient, options: MeshGenerateOptions = {}): Promise<Outcome> {
  const startedAt = Date.now();
  const answer = (async () => {
    let said = '';
    for await (const event of client.generate({ input: { prompt: 'hello' } }, { model: 'm', ...options })) {
      if (event.type === 'done') said = event.result.text;
    }
    return said;
  })().catch((error: unknown) => QuarryError.from(error).code);
  const said = await passing(answer);
  return { said, ms: Date.now() - startedAt };
}

/** Lets the clock run until the promise is settled. */
async function passing<T>(promise: Promise<T>): Promise<T> {
  let settled = false;
  const mark = () => {
    settled = true;
  };
  promise.then(mark, mark);
  await vi.advanceTimersByTimeAsync(0);
  while (!settled) await vi.advanceTimersToNextTimerAsync();
  return promise;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

describe('with half of the workers lying', () => {
  const mixed = { name: 'every kind of lie', lies: LIES };
  const kinds = LIES.map((lie) => ({ name: lie, lies: Array<Manner>(9).fill(lie) }));

  it.each([mixed, ...kinds])('requests are answered, and soon: $name', async ({ lies }) => {
    const outcomes: Outcome[] = [];
    for (let seed = 1; seed <= CLIENTS; seed++) {
      const workers = team([...lies, ...Array<Manner>(lies.length + 1).fill('honest')]);
      const client = clientOf(workers, { random: seededRandom(seed).uniform });
      for (let count = 0; count < REQUESTS; count++) outcomes.push(await ask(client));
      await passing(client.close());
    }
    const answered = outcomes.filter(({ said }) => said === 'An answer.');
    expect(answered.length / outcomes.length).toBeGreaterThanOrEqual(0.99);
    expect(median(outcomes.map(({ ms }) => ms)) - HONEST_MS).toBeLessThanOrEqual(1_000);
  });
});
