import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { ignoring } from '../base/swallowed.ts';
import { TIERS } from '../credits/tiers.ts';
import { BootstrapNode } from '../mesh/transport/bootstrap.ts';
import { BenchNode } from './mesh-node.ts';
import type { ProcessFigures } from './process-figures.ts';
import { type BenchEvent, benchRow, note } from './row.ts';
import { WholeNode } from './whole-node.ts';

export interface BenchSoakOptions {
  /** Default 60. */
  minutes?: number;
  /** Programs that ask at each node, each again a second after its answer. Default 4. */
  programs?: number;
  /** Ends it early, with what was measured until then. */
  signal?: AbortSignal;
}

const NODES = 2;
const GAP_MS = 1_000;
const MAX_TOKENS = 24;
/** A peer comes for so long and goes, under a new name each time. */
const VISIT_MS = 10_000;
const MINUTE_MS = 60_000;
const SHOWN_CHARS = 200;
const MEBIBYTE = 1024 ** 2;
/** More than a node takes of one client by default. */
const MANY_A_MINUTE = Object.fromEntries(
  TIERS.map((tier) => [`QUARRY_LIMITS_REQUESTS_PER_MINUTE_${tier.toUpperCase()}`, '600']),
);
/** What an open page asks again and again. */
const LOOKS = ['node/status', 'credits/summary', 'credits/entries', 'credits/sources', 'credits/days', 'mesh/peers'];

/**
 * Two whole nodes that ask each other through the mesh and themselves at once, for a long time: more requests in an hour than a
 * computer at home serves in a day. Beside it peers come and go, and pages look on.
 */
export async function* benchSoak({
  minutes = 60,
  programs = 4,
  signal = new AbortController().signal,
}: BenchSoakOptions): AsyncGenerator<BenchEvent> {
  const bench = new SoakBench(await mkdtemp(join(tmpdir(), 'quarry-bench-')));
  try {
    yield note('Starting two nodes …');
    await bench.open(programs);
    const samples: ProcessFigures[][] = [];
    for (let minute = 1; minute <= minutes && !signal.aborted; minute++) {
      await pause(MINUTE_MS, signal);
      const figures = await bench.figures();
      samples.push(figures);
      yield note(`${minute} min: ${bench.answered} of ${bench.asked} answered; ${figures.map(described).join('; ')}`);
    }
    if (samples.length > 0) yield* rows(samples, bench);
  } finally {
    await bench.close();
  }
}

function* rows(samples: readonly ProcessFigures[][], { asked, answered, faults }: SoakBench): Generator<BenchEvent> {
  const all = samples.flat();
  const quarter = samples.length >> 2;
  const mean = (part: readonly ProcessFigures[][], bytesOf: (figures: ProcessFigures) => number) =>
    Array.from(
      { length: NODES },
      (_, node) => part.reduce((sum, each) => sum + (each[node] ? bytesOf(each[node]) : 0), 0) / part.length,
    );
  const name = `${samples.length} min`;
  const kinds: [title: string, bytesOf: (figures: ProcessFigures) => number][] = [
    ['heap after collecting', ({ heap }) => heap],
    ['resident memory', ({ resident }) => resident],
    ['resident memory beside the heap', ({ resident, reserved }) => resident - reserved],
  ];
  for (const [title, bytesOf] of kinds) {
    const inMiB = (part: readonly ProcessFigures[][]) => mean(part, bytesOf).map((bytes) => bytes / MEBIBYTE);
    yield row({
      case: `${name}: ${title}, last quarter beside the second`,
      unit: 'MiB (less is better)',
      goal: '≤ 1.1',
      ours: inMiB(samples.slice(-Math.max(1, quarter))),
      peer: inMiB(samples.slice(quarter, 2 * quarter + 1)),
      peerName: 'the second quarter',
    });
  }
  yield row({
    case: `${name}: timers late, p99 of a minute`,
    unit: 'ms (less is better)',
    goal: '≤ 50',
    ours: all.map(({ lateP99 }) => lateP99),
  });
  yield row({
    case: `${name}: timers late, most in a minute`,
    unit: 'ms (less is better)',
    goal: null,
    ours: all.map(({ lateMax }) => lateMax),
  });
  yield row({ case: `${name}: requests answered`, unit: '%', goal: '100', ours: [(answered * 100) / asked] });
  yield row({ case: `${name}: requests`, unit: 'requests', goal: null, ours: [asked] });
  for (const [fault, times] of faults) yield note(`Failed ${times} times: ${fault}`);
}

function row(figures: Omit<Parameters<typeof benchRow>[0], 'bench'>): BenchEvent {
  return { type: 'row', row: benchRow({ bench: 'soak', ...figures }) };
}

function described({ heap, reserved, resident, lateP99, lateMax }: ProcessFigures): string {
  const [heapMiB, reservedMiB, residentMiB] = [heap, reserved, resident].map((bytes) => Math.round(bytes / MEBIBYTE));
  return `heap ${heapMiB} of ${reservedMiB}, resident ${residentMiB} MiB, timers late ${Math.round(lateP99)} ms p99, ${Math.round(lateMax)} at most`;
}

class SoakBench {
  readonly #folder: string;
  readonly #bootstrap = new BootstrapNode({ port: 0 });
  readonly #nodes: WholeNode[];
  readonly #ended = new AbortController();
  #working: Promise<unknown> | undefined;
  asked = 0;
  answered = 0;
  /** What those that failed were told, and how often. */
  readonly faults = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#nodes = Array.from({ length: NODES }, (_, number) => new WholeNode(join(folder, String(number))));
  }

  async open(programs: number): Promise<void> {
    await this.#bootstrap.open();
    await Promise.all(this.#nodes.map((node) => node.open(this.#bootstrap.address, MANY_A_MINUTE)));
    await Promise.all(this.#nodes.map((node) => metSomebody(node)));
    await this.figures(); // counted from here
    const { signal } = this.#ended;
    const work = this.#nodes.flatMap((node) => [
      // Most ask the other node, by what that one owes this one; the last of them asks this one.
      ...Array.from({ length: programs }, (_, number) =>
        this.#program(node, number === programs - 1 ? 'local' : 'mesh', signal),
      ),
      this.#page(node, signal),
    ]);
    this.#working = Promise.all([...work, this.#visitors(signal)]);
  }

  async figures(): Promise<ProcessFigures[]> {
    return await Promise.all(this.#nodes.map((node) => node.figures()));
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#working;
    for (const node of this.#nodes) await node.close();
    await this.#bootstrap.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #program(node: WholeNode, model: 'local' | 'mesh', signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const fault = await ask(node, model, signal).catch(String);
      if (signal.aborted) return;
      this.asked++;
      if (fault === '') this.answered++;
      else this.#count(`${model}: ${fault}`);
      await pause(GAP_MS, signal);
    }
  }

  async #page(node: WholeNode, signal: AbortSignal): Promise<void> {
    for (let look = 0; !signal.aborted; look++) {
      const path = LOOKS[look % LOOKS.length] ?? '';
      const fault = await node.fetch(`/rpc/${path}`, { json: {} }, signal).then(faultOf, String);
      if (fault && !signal.aborted) this.#count(`${path}: ${fault}`);
      await pause(GAP_MS, signal);
    }
  }

  #count(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  async #visitors(signal: AbortSignal): Promise<void> {
    const log = pino({ level: 'silent' });
    while (!signal.aborted) {
      const visitor = new BenchNode({ bootstrap: [this.#bootstrap.address], mode: 'client', log });
      const fault = await visitor.open().then(() => '', String);
      if (fault) this.#count(`a visitor: ${fault}`);
      await pause(VISIT_MS, signal);
      await visitor.close();
    }
  }
}

async function faultOf(response: Response): Promise<string> {
  const text = await response.text();
  return response.ok ? '' : `${response.status} ${text.slice(-SHOWN_CHARS)}`;
}

async function metSomebody(node: WholeNode): Promise<void> {
  const end = performance.now() + MINUTE_MS;
  while ((await node.status()).peers === 0) {
    if (performance.now() > end) throw new Error('The nodes did not meet.');
    await sleep(100);
  }
}

/** @returns what went wrong; '' for nothing */
async function ask(node: WholeNode, model: string, signal: AbortSignal): Promise<string> {
  const messages = [{ role: 'user', content: `Tell me of the number ${Math.floor(Math.random() * 1e6)}.` }];
  const body = { model, messages, max_completion_tokens: MAX_TOKENS, stream: true };
  const response = await node.fetch('/v1/chat/completions', body, signal);
  const text = await response.text();
  return response.ok && text.trimEnd().endsWith('data: [DONE]') ? '' : text.slice(-SHOWN_CHARS);
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(ignoring('it is over'));
