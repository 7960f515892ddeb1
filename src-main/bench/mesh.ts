import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type Logger, pino } from 'pino';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';
import { quantile } from '../base/quantile.ts';
import { MeshClient } from '../mesh/asking/client.ts';
import { BootstrapNode } from '../mesh/transport/bootstrap.ts';
import { SMOLLM_135M, writeRandomModel } from './made-models/random-model.ts';
import { BenchNode } from './mesh-node.ts';
import { MeshWorkerProcess } from './mesh-worker-process.ts';
import { type BenchEvent, benchRow } from './row.ts';

export interface BenchMeshOptions {
  /** A GGUF file. Default: random weights in SmolLM-135M's shape, written to a temporary file. */
  model?: string;
  /** Runs of each side. Default 5. */
  runs?: number;
  /** Tokens to generate a request. Default 64. */
  tokens?: number;
  /** Requests whose time to the first token is looked at, for each number of clients. Default 100. */
  probes?: number;
}

const CLIENTS = [1, 4, 8];
const PARALLEL = 8;
const PROMPT_WORDS = 40;
const PROBE_WORDS = 8;
const PROBE_TOKENS = 2;
/** A client waits at least this long and at most three times as long between two probes, in milliseconds. */
const PROBE_GAP_MS = 40;

/**
 * Through the mesh ÷ straight from the same engine. The worker, with its engine and its books, is a process of its own;
 * clients reach it over Hyperswarm on the loopback interface, each with a key and books of its own. The worker and the
 * first client keep their books on disk. The other clients keep them in memory: on a mesh they would write to other disks
 * at the same time.
 */
export async function* benchMesh(options: BenchMeshOptions): AsyncGenerator<BenchEvent> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  const bench = new MeshBench(folder);
  try {
    yield { type: 'note', text: 'Loading the model in a worker process …' };
    await bench.open(options.model ?? (await randomModel(folder)));
    yield* bench.run(options);
  } finally {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class MeshBench {
  readonly #folder: string;
  readonly #log: Logger = pino({ level: 'silent' });
  readonly #bootstrap = new BootstrapNode({ port: 0 });
  readonly #worker = new MeshWorkerProcess();
  readonly #clients: { node: BenchNode; client: MeshClient }[] = [];
  #seed = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async open(model: string): Promise<void> {
    await this.#bootstrap.open();
    const bootstrap = [this.#bootstrap.address];
    await this.#worker.open({ model, folder: this.#folder, bootstrap, parallel: PARALLEL });
    for (let count = 0; count < Math.max(...CLIENTS); count++) await this.#addClient(bootstrap);
    await this.#mesh(PARALLEL, PROBE_WORDS, PROBE_TOKENS); // everyone has met, all code is warm
    await this.#worker.firstTokenMs();
  }

  async *run({ runs = 5, tokens = 64, probes = 100 }: BenchMeshOptions): AsyncGenerator<BenchEvent> {
    for (const clients of CLIENTS) {
      const name = `${clients} client${clients > 1 ? 's' : ''}`;
      const figures: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
      for (let run = 0; run < runs; run++) {
        figures.ours.push(await this.#mesh(clients, PROMPT_WORDS, tokens));
        figures.peer.push(await this.#direct(clients, tokens));
      }
      const row = { bench: 'mesh', case: name, unit: 'tokens/s', goal: '≥ 0.97', peerName: 'engine alone', ...figures };
      yield { type: 'row', row: benchRow(row) };
      yield* this.#probe(name, clients, probes);
    }
  }

  async close(): Promise<void> {
    for (const { node, client } of this.#clients) {
      await client.close();
      await node.close();
    }
    await this.#worker.close();
    await this.#bootstrap.close();
  }

  async #addClient(bootstrap: { host: string; port: number }[]): Promise<void> {
    const folder = this.#clients.length === 0 ? this.#folder : undefined;
    const node = new BenchNode({ folder, bootstrap, mode: 'client', log: this.#log });
    await node.open();
    const { network, identity, credits } = node;
    const client = new MeshClient({ network, identity, credits: credits.client, log: this.#log });
    client.open();
    this.#clients.push({ node, client });
  }

  /**
   * What the mesh adds to the time to the first token: the client's figure less the engine's, request by request. Each
   * client asks at moments of its own, as people do who do not know of each other; asked in the same instant, all would
   * wait for this one process to write and sign for the others.
   */
  async *#probe(name: string, clients: number, probes: number): AsyncGenerator<BenchEvent> {
    await this.#worker.firstTokenMs();
    const seen = new Map<number, number>();
    const asking = this.#clients.slice(0, clients).map(async ({ client }) => {
      while (seen.size < probes) {
        await new Promise((resolve) => setTimeout(resolve, PROBE_GAP_MS * (1 + 2 * Math.random())));
        const request = this.#request(PROBE_WORDS, PROBE_TOKENS);
        seen.set(request.seed, (await ask(client, request)).firstTokenMs);
      }
    });
    await Promise.all(asking);
    const engine = await this.#worker.firstTokenMs();
    const added = [...seen].map(([seed, ms]) => ms - (engine.get(seed) ?? 0)).sort((a, b) => a - b);
    for (const [share, goal] of [
      [0.5, '≤ 5'],
      [0.99, '≤ 30'],
    ] as const) {
      const value = quantile(added, share);
      const unit = 'ms added to the first token (less is better)';
      yield {
        type: 'row',
        row: benchRow({ bench: 'mesh', case: `${name}, p${share * 100}`, unit, goal, ours: [value] }),
      };
    }
  }

  /** One request of each client at the same time; tokens per second of all together. */
  async #mesh(clients: number, words: number, tokens: number): Promise<number> {
    const started = performance.now();
    const asked = this.#clients.slice(0, clients).map(({ client }) => ask(client, this.#request(words, tokens)));
    const total = (await Promise.all(asked)).reduce((sum, { completionTokens }) => sum + completionTokens, 0);
    return (total * 1000) / (performance.now() - started);
  }

  async #direct(clients: number, tokens: number): Promise<number> {
    const requests = Array.from({ length: clients }, () => this.#request(PROMPT_WORDS, tokens));
    const { tokens: generated, ms } = await this.#worker.generate(requests);
    return (generated * 1000) / ms;
  }

  /** Prompts that begin differently, so that no cache can help one with another. */
  #request(words: number, tokens: number): GenerateRequest & { seed: number } {
    const seed = ++this.#seed;
    const text = Array.from({ length: words }, (_, index) => `w${(seed * 7919 + index * 104_729) % 99_991}`).join(' ');
    return { input: { prompt: text }, maxTokens: tokens, temperature: 0, repeatPenalty: 1, seed };
  }
}

async function ask(client: MeshClient, request: GenerateRequest) {
  const askedAt = performance.now();
  let firstTokenMs: number | undefined;
  let completionTokens = 0;
  for await (const event of client.generate(request)) {
    if (event.type === 'chunk') firstTokenMs ??= performance.now() - askedAt;
    if (event.type === 'done') completionTokens = event.result.completionTokens;
  }
  return { completionTokens, firstTokenMs: firstTokenMs ?? performance.now() - askedAt };
}

async function randomModel(folder: string): Promise<string> {
  const path = join(folder, 'random.gguf');
  await writeRandomModel(path, SMOLLM_135M, 42);
  return path;
}
