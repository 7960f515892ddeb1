import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { entryModule } from '../base/installation.ts';
import { quantile } from '../base/quantile.ts';
import { ignoring } from '../base/swallowed.ts';
import { MeshClient } from '../mesh/asking/client.ts';
import { BootstrapNode } from '../mesh/transport/bootstrap.ts';
import type { CrowdAnswer, CrowdOrder } from './hostile/hostile-crowd.ts';
import { BenchNode } from './mesh-node.ts';
import { type BenchEvent, benchRow, note } from './row.ts';
import { WholeNode } from './whole-node.ts';

export interface BenchHostileOptions {
  /** Peers of the crowd. Default 1,000. */
  peers?: number;
  /** Seconds that each run lasts, and the quiet before it. Default 15. */
  seconds?: number;
  /** Default 3. */
  runs?: number;
}

/** Milliseconds between two looks at the screens. */
const LOOK_MS = 50;
/** Requests that a newcomer can pay, in all runs together. */
const MOST_ASKED = 6;
const START_MS = 60_000;

/**
 * A whole node in a process of its own, and beside it a process with a crowd of hostile peers: they connect to it, lie, break the
 * protocol and come back under other names, while the screens' status is asked twenty times a second and somebody asks honestly.
 */
export async function* benchHostile({
  peers = 1_000,
  seconds = 15,
  runs = 3,
}: BenchHostileOptions): AsyncGenerator<BenchEvent> {
  const bench = new HostileBench(await mkdtemp(join(tmpdir(), 'quarry-bench-')));
  try {
    yield note('Starting a node …');
    await bench.open();
    const quiet: number[][] = [];
    const loud: number[][] = [];
    const grown: number[] = [];
    for (let run = 1; run <= runs; run++) {
      quiet.push(await bench.looks(seconds));
      const before = await bench.residentMiB();
      bench.attack(peers, run);
      loud.push(await bench.looks(seconds));
      const { said, calls } = await bench.endAttack();
      yield note(`Run ${run}: the crowd said ${said} things on ${calls} connections.`);
      grown.push((await bench.residentMiB()) - before);
    }
    for (const share of [0.5, 0.99]) {
      const at = (times: number[]) =>
        quantile(
          times.toSorted((a, b) => a - b),
          share,
        );
      const figures = { ours: loud.map(at), peer: quiet.map(at), peerName: 'the same node in peace' };
      yield row({
        case: `${peers} peers: status p${share * 100}`,
        unit: 'ms (less is better)',
        goal: '< 100',
        ...figures,
      });
    }
    yield row({ case: `${peers} peers: honest requests answered`, unit: '%', goal: '100', ours: [bench.answered()] });
    yield row({ case: `${peers} peers: memory that a run leaves behind`, unit: 'MiB', goal: '≤ 100', ours: grown });
    yield row({
      case: `${peers} peers: still there at the end`,
      unit: 'peers',
      goal: '0',
      ours: [await bench.peersLeft()],
    });
  } finally {
    await bench.close();
  }
}

function row(figures: Omit<Parameters<typeof benchRow>[0], 'bench'>): BenchEvent {
  return { type: 'row', row: benchRow({ bench: 'hostile', ...figures }) };
}

class HostileBench {
  readonly #folder: string;
  readonly #bootstrap = new BootstrapNode({ port: 0 });
  readonly #asked = { all: 0, answered: 0 };
  readonly #node: WholeNode;
  #crowd: ChildProcess | undefined;
  #own: BenchNode | undefined;
  #client: MeshClient | undefined;
  #id = '';

  constructor(folder: string) {
    this.#folder = folder;
    this.#node = new WholeNode(folder);
  }

  async open(): Promise<void> {
    await this.#bootstrap.open();
    await this.#node.open(this.#bootstrap.address, { QUARRY_LIMITS_REQUESTS_PER_MINUTE_NEWCOMER: '1000' });
    this.#id = (await this.#node.status()).id;
    const log = pino({ level: 'silent' });
    this.#own = new BenchNode({ bootstrap: [this.#bootstrap.address], mode: 'client', log });
    await this.#own.open();
    const { network, identity, credits } = this.#own;
    this.#client = new MeshClient({ network, identity, credits: credits.client, findWorkerMs: START_MS, log });
    this.#client.open();
    await this.#ask(); // they have met, and all code is warm
  }

  /** Looks at the screens for so long, and asks honestly now and then. @returns the milliseconds of each look */
  async looks(seconds: number): Promise<number[]> {
    const end = performance.now() + seconds * 1_000;
    const times: number[] = [];
    const asking = this.#asked.all < MOST_ASKED ? this.#ask().catch(ignoring('it counts as not answered')) : undefined;
    while (performance.now() < end) {
      const started = performance.now();
      await this.#node.status();
      times.push(performance.now() - started);
      await sleep(Math.max(0, LOOK_MS - (times.at(-1) ?? 0)));
    }
    await asking;
    return times;
  }

  attack(peers: number, seed: number): void {
    this.#crowd = fork(fileURLToPath(entryModule('bench/hostile/hostile-crowd')), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const bootstrap = [this.#bootstrap.address];
    this.#crowd.send({ type: 'open', victim: this.#id, bootstrap, peers, seed } satisfies CrowdOrder);
  }

  async endAttack(): Promise<CrowdAnswer> {
    const crowd = this.#crowd;
    if (!crowd) return { said: 0, calls: 0 };
    const told = once(crowd, 'message');
    const exited = once(crowd, 'exit');
    crowd.send({ type: 'close' } satisfies CrowdOrder);
    const [answer] = await told;
    await exited;
    this.#crowd = undefined;
    return answer;
  }

  /** Percent of the honest requests. */
  answered(): number {
    return (this.#asked.answered * 100) / this.#asked.all;
  }

  /** Of the node's main process. */
  async residentMiB(): Promise<number> {
    return await this.#node.residentMiB();
  }

  /** Peers but the honest one, when those that are gone have been noticed. */
  async peersLeft(): Promise<number> {
    const end = performance.now() + START_MS;
    for (;;) {
      const { peers } = await this.#node.status();
      if (peers <= 1 || performance.now() > end) return Math.max(0, peers - 1);
      await sleep(LOOK_MS);
    }
  }

  async close(): Promise<void> {
    this.#crowd?.kill('SIGKILL');
    await this.#client?.close();
    await this.#own?.close();
    await this.#node.close();
    await this.#bootstrap.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #ask(): Promise<void> {
    this.#asked.all++;
    const request = { input: { prompt: 'Once upon a time' }, maxTokens: 4 };
    for await (const event of this.#client?.generate(request) ?? []) if (event.type === 'done') this.#asked.answered++;
  }
}
