import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import {
  MeshClient,
  type MeshClientOptions,
  type MeshGenerateOptions,
} from '../../../../src-main/mesh/asking/client.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { MemoryClientCredits } from '../../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { passing } from '../../../support/passing.ts';
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

async function answer(client: MeshClient, options: MeshGenerateOptions = {}): Promise<Outcome> {
  const startedAt = Date.now();
  let said = '';
  try {
    for await (const event of client.generate({ input: { prompt: 'hello' } }, { model: 'm', ...options })) {
      if (event.type === 'done') said = event.result.text;
    }
  } catch (error) {
    said = QuarryError.from(error).code;
  }
  return { said, ms: Date.now() - startedAt };
}

function ask(client: MeshClient, options: MeshGenerateOptions = {}): Promise<Outcome> {
  return passing(answer(client, options));
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

describe('a liar', () => {
  it('beside three honest workers costs no request', async () => {
    const client = clientOf(team(['says that the time is over', 'honest', 'honest', 'honest']));
    for (let count = 0; count < 20; count++) expect(await ask(client)).toMatchObject({ said: 'An answer.' });
    await passing(client.close());
  });

  it.each(['says that the time is over', 'says that it was cancelled'] as const)(
    'that %s has failed, and nothing more: the request is not over',
    async (manner) => {
      const [liar] = team([manner]);
      const client = clientOf([liar!]);
      expect(await ask(client)).toMatchObject({ said: 'WORKER_LOST' });
      expect(liar!.prompts).toBe(8);
      await passing(client.close());
    },
  );

  it('whose answer is empty is not believed, nor paid, while another has something to say', async () => {
    const [empty, other] = team(['answers without a word', 'honest']);
    const client = clientOf([empty!, other!], { random: () => 0 });
    const said = [];
    for (let count = 0; count < 5; count++) said.push((await ask(client)).said);
    expect(said).toEqual(Array(5).fill('An answer.'));
    await passing(client.close());
  });

  it('is not what it takes for an empty answer: three say so, or the only one that there is', async () => {
    for (const manners of [['honest', 'honest', 'honest', 'honest'], ['honest']] as const) {
      const workers = team(manners);
      for (const worker of workers) worker.text = '';
      const client = clientOf(workers);
      expect((await ask(client)).said).toBe('');
      expect(workers.reduce((sum, { prompts }) => sum + prompts, 0)).toBe(Math.min(3, workers.length));
      await passing(client.close());
    }
  });

  it('is not what it takes where two say so of whom one has answered before', async () => {
    const workers = team(['honest', 'honest', 'honest', 'honest']);
    const client = clientOf(workers);
    while (workers.some(({ prompts }) => prompts === 0)) await ask(client);
    const before = workers.reduce((sum, { prompts }) => sum + prompts, 0);
    for (const worker of workers) worker.text = '';
    expect((await ask(client)).said).toBe('');
    expect(workers.reduce((sum, { prompts }) => sum + prompts, 0)).toBe(before + 2);
    await passing(client.close());
  });

  it('keeps nobody waiting who does not know the workers yet', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const workers = team([...Array<Manner>(9).fill('accepts and is silent'), ...Array<Manner>(10).fill('honest')]);
      const client = clientOf(workers, { random: seededRandom(seed).uniform });
      const { said, ms } = await ask(client);
      expect(said).toBe('An answer.');
      expect(ms).toBeLessThan(10_000);
      await passing(client.close());
    }
  });

  it.each(['tells a wait of a day', 'tells a place that grows'] as const)(
    'that claims to be busy and %s is waited for as long as its claim allows',
    async (manner) => {
      const queue = { waiting: 2, running: 4, parallel: 4, capacity: 10 };
      const liar = new WirelessWorker(manner, { queue });
      open.push(liar);
      const client = clientOf([liar], { attempts: 1 });
      const { said, ms } = await ask(client);
      expect(said).toBe('WORKER_LOST');
      expect(ms).toBeLessThan(70_000);
      await passing(client.close());
    },
  );
});

describe('when all honest workers are full', () => {
  it('a request that liars have refused waits for one of them', async () => {
    const queue = { waiting: 10, running: 4, parallel: 4, capacity: 10 };
    const honest = new WirelessWorker('honest', { queue });
    open.push(honest);
    const liars = team(Array<Manner>(10).fill('says that the time is over'));
    const client = clientOf([...liars, honest]);
    const asked = answer(client);
    await vi.advanceTimersByTimeAsync(5_000);
    honest.selfReport = {};
    honest.beat();
    expect(await passing(asked)).toMatchObject({ said: 'An answer.' });
    expect(liars.map(({ prompts }) => prompts)).toEqual(Array(10).fill(1));
    await passing(client.close());
  });
});

describe('a request that kills engines', () => {
  it('stops after three workers that are known to work, and after eight that are not', async () => {
    const workers = team(Array<Manner>(12).fill('honest'));
    const prompts = () => workers.reduce((sum, worker) => sum + worker.prompts, 0);
    const client = clientOf(workers, { random: seededRandom(1).uniform });
    while (workers.some((worker) => worker.prompts === 0)) await ask(client);
    for (const worker of workers) worker.manner = 'claims to have crashed';
    const before = prompts();
    expect(await ask(client)).toMatchObject({ said: 'ENGINE_CRASHED' });
    expect(prompts() - before).toBe(3);
    await passing(client.close());

    const stranger = clientOf(workers);
    const unknown = prompts();
    expect(await ask(stranger)).toMatchObject({ said: 'ENGINE_CRASHED' });
    expect(prompts() - unknown).toBe(8);
    await passing(stranger.close());
  });
});

describe('questions that wait for a worker', () => {
  it('hear that their time is over where it was, however late a busy machine is to look', async () => {
    for (const step of [30, 45, 60, 75]) {
      let time = 0;
      const client = clientOf([], { now: () => (time += step), findWorkerMs: 600_000 });
      expect(await passing(answer(client, { deadlineMs: 300 }))).toMatchObject({ said: 'DEADLINE' });
      await passing(client.close());
    }
  });

  it('are woken as far as there is room, and none looks through all workers again', async () => {
    const full = { waiting: 10, running: 4, parallel: 4, capacity: 10 };
    const workers = Array.from({ length: 100 }, () => new WirelessWorker('honest', { queue: full }));
    open.push(...workers);
    let looks = 0;
    const now = () => {
      looks++;
      return Date.now();
    };
    const client = clientOf(workers, { now, findWorkerMs: 600_000 });
    const controller = new AbortController();
    const asked = Array.from({ length: 300 }, () => answer(client, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(0);
    const prompts = () => workers.reduce((sum, worker) => sum + worker.prompts, 0);
    looks = 0;
    for (const worker of workers) worker.beat();
    await vi.advanceTimersByTimeAsync(0);
    // For each status one for the worker's pace and one for when it came.
    expect([looks, prompts()]).toEqual([2 * workers.length, 0]);

    looks = 0;
    workers[7]!.selfReport = { queue: { ...full, waiting: 8 } };
    workers[7]!.beat();
    await vi.advanceTimersByTimeAsync(0);
    expect(prompts()).toBe(2);
    expect(looks).toBeLessThan(50);

    workers[8]!.selfReport = { queue: { ...full, capacity: 1_000_000_000 } };
    workers[8]!.beat();
    await vi.advanceTimersByTimeAsync(0);
    expect(workers[8]!.prompts).toBe(16);
    controller.abort();
    await passing(Promise.all(asked));
    await passing(client.close());
  });
});
