import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { RandomTexts } from '../random-texts.ts';
import { type BenchEvent, benchRow, note } from '../row.ts';
import { threadText } from './streams.ts';

export interface BenchInstructionsOptions {
  model: string;
  threads: readonly number[];
  runs: number;
  signal?: AbortSignal | undefined;
}

const TOKENS = 2_000;
const CONTEXT = 2_560;
const MOST_BYTES = 100_000_000_000;
const WRITTEN_MS = 60_000;

/** First tokens, in milliseconds. */
interface Waits {
  /** Nothing is kept on the disk. */
  without: number[];
  /** The instructions are kept meanwhile. */
  keeping: number[];
  /** They are there. */
  kept: number[];
}

/** How long an engine that has just started takes to the first token after 2,000 tokens of instructions: with them on the disk, and without. */
export async function* benchInstructions(options: BenchInstructionsOptions): AsyncGenerator<BenchEvent> {
  for (const threads of options.threads) {
    yield note(`${threadText(threads)}: instructions of ${TOKENS} tokens, after a restart …`);
    const { without, keeping, kept } = await measured({ ...options, threads });
    const name = `instructions, ${TOKENS} tokens, ${threadText(threads)}: first token`;
    const beside = { bench: 'inference', unit: 'ms', peerName: 'without the disk', peer: without };
    yield { type: 'row', row: benchRow({ ...beside, case: `${name}, after a restart`, goal: '≤ 0.1', ours: kept }) };
    yield { type: 'row', row: benchRow({ ...beside, case: `${name}, while kept`, goal: '≤ 1.05', ours: keeping }) };
  }
}

async function measured(options: Omit<BenchInstructionsOptions, 'threads'> & { threads: number }): Promise<Waits> {
  const waits: Waits = { without: [], keeping: [], kept: [] };
  for (let run = 0; run < options.runs; run++) {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-kept-'));
    try {
      const system = await withEngine(options, undefined, (engine) => new RandomTexts(engine).take(TOKENS));
      waits.without.push(await withEngine(options, undefined, (engine) => firstToken(engine, system)));
      waits.keeping.push(await withEngine(options, folder, (engine) => keptFirst(engine, system, folder)));
      waits.kept.push(await withEngine(options, folder, (engine) => firstToken(engine, system)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return waits;
}

/** @param folder where it keeps instructions; undefined: nowhere */
async function withEngine<T>(
  { model, threads, signal }: Pick<BenchInstructionsOptions, 'model' | 'signal'> & { threads: number },
  folder: string | undefined,
  work: (engine: LocalBackend) => Promise<T>,
): Promise<T> {
  const shared = { threads, parallel: 1, contextSize: CONTEXT, gpuLayers: 0 };
  const keepPrompts = folder === undefined ? undefined : { folder, most: MOST_BYTES };
  const engine = new LocalBackend({ modelPath: model, log: pino({ level: 'silent' }), ...shared, keepPrompts });
  const close = () => void engine.close();
  signal?.addEventListener('abort', close, { once: true });
  try {
    await engine.open();
    return await work(engine);
  } finally {
    signal?.removeEventListener('abort', close);
    await engine.close();
  }
}

async function keptFirst(engine: LocalBackend, system: string, folder: string): Promise<number> {
  const ms = await firstToken(engine, system);
  const end = performance.now() + WRITTEN_MS;
  while (!(await readdir(folder)).some((name) => name.endsWith('.state'))) {
    if (performance.now() > end) throw new Error('The instructions were not kept.');
    await sleep(20);
  }
  return ms;
}

async function firstToken(engine: LocalBackend, system: string): Promise<number> {
  const messages = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: 'Go on.' },
  ];
  const began = performance.now();
  const request = { input: { messages }, maxTokens: 1, temperature: 0, repeatPenalty: 1 };
  for await (const event of engine.generate(request, { keepPrompt: true }))
    if (event.type === 'chunk') return performance.now() - began;
  throw new Error('The engine ended without a token.');
}
