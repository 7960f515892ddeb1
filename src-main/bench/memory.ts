import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { KvCacheType } from '../../src-preload/contract/long-context.ts';
import { installedPath } from '../base/installation.ts';
import { checkGguf } from '../gguf/model-file.ts';
import { hasAmx } from '../hardware/readings.ts';
import { BATCH_TOKENS, MAX_OUTPUTS } from '../inference/engine-protocol.ts';
import { LocalBackend } from '../inference/host/local-backend.ts';
import { ggufProfile } from '../models/fit/gguf-profile.ts';
import { memoryNeed, totalBytes } from '../models/fit/memory.ts';
import { type BenchEvent, benchRow, note } from './row.ts';

/** How a model is loaded, on the processor. */
export interface MemoryCase {
  contextSize: number;
  parallel: number;
  kvCache: KvCacheType;
}

export interface BenchMemoryOptions {
  /** A GGUF file. Default: the built-in model. */
  model?: string;
  /** Engines that are started for each case. Default 1. */
  runs?: number;
  /** Default {@link MEMORY_CASES}. */
  cases?: readonly MemoryCase[];
}

const CONTEXTS = [2_048, 4_096, 8_192];
export const MEMORY_CASES: readonly MemoryCase[] = [
  ...CONTEXTS.flatMap((contextSize) => [1, 4].map((parallel) => ({ contextSize, parallel, kvCache: 'f16' as const }))),
  ...[1, 4].flatMap((parallel) =>
    (['q8_0', 'q4_0'] as const).map((kvCache) => ({ contextSize: 8_192, parallel, kvCache })),
  ),
];

const MB = 1e6;

/**
 * The memory that was estimated for a model ÷ what its engine's process takes, loaded in several ways, each in a process of its own that has read
 * more than a whole batch.
 * @throws UNSUPPORTED elsewhere than on Linux, which alone tells what a process takes of a file; MODEL_NOT_FOUND, MODEL_INVALID; what loading throws
 */
export async function* benchMemory(options: BenchMemoryOptions): AsyncGenerator<BenchEvent> {
  const { model = installedPath('resources', 'tiny.gguf'), runs = 1, cases = MEMORY_CASES } = options;
  if (process.platform !== 'linux') throw onlyOnLinux();
  const { facts } = await checkGguf(model);
  const fitting = cases.filter(({ contextSize }) => contextSize <= facts.contextLength);
  if (fitting.length < cases.length)
    yield note(`It is made for ${facts.contextLength} tokens: longer contexts are left out.`);
  for (const each of fitting) {
    const { contextSize, parallel, kvCache } = each;
    const taken: number[] = [];
    for (let run = 0; run < runs; run++) taken.push((await takenBytes(model, each)) / MB);
    const row = {
      ...{ bench: 'memory', case: `${contextSize} × ${parallel}, ${kvCache}`, unit: 'MB', goal: '0.85–1.15' },
      ...{ ours: [(await estimated(model, each)) / MB], peer: taken, peerName: 'taken by the process' },
    };
    yield { type: 'row', row: benchRow(row) };
  }
}

const onlyOnLinux = () =>
  new QuarryError({ code: 'UNSUPPORTED', message: 'What a process takes of a file, Linux alone tells.' });

async function estimated(model: string, plan: MemoryCase): Promise<number> {
  const profile = ggufProfile(await checkGguf(model));
  return totalBytes(memoryNeed(profile, { ...plan, gpuLayers: 0, packsWeights: await hasAmx() }).ram);
}

/** Bytes of the computer's memory that an engine takes which has read a text, and said of another how likely it is. */
async function takenBytes(modelPath: string, plan: MemoryCase): Promise<number> {
  const log = pino({ level: 'silent' });
  const engine = new LocalBackend({ modelPath, log, gpuLayers: 0, threads: 1, ...plan });
  await engine.open();
  try {
    let text = ' one two three four';
    while ((await engine.countTokens({ prompt: text })) <= BATCH_TOKENS) text += text;
    await engine.score({ input: { prompt: text }, continuation: ' one two three four'.repeat(MAX_OUTPUTS / 4) });
    if (engine.pid === undefined) throw new Error('The engine has ended.');
    return await residentBytes(engine.pid, modelPath);
  } finally {
    await engine.close();
  }
}

/**
 * What a process takes of memory, the model's file included: llama.cpp maps it and computes with what is there. All that is mapped counts, as the system drops
 * pages of files when others want memory. Where weights were packed anew, only the table that turns tokens into vectors is used out of the file.
 * @param model path of its file
 */
export async function residentBytes(pid: number, model: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const mappings = (await readFile(`/proc/${pid}/smaps`, 'utf8')).split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const ofFile = mappings.filter((mapping) => mapping.includes(model));
  const ofFileBytes = (field: string) => ofFile.reduce((sum, mapping) => sum + fieldBytes(mapping, field), 0);
  const used = (await hasAmx()) ? ggufProfile(await checkGguf(model)).inputBytes : ofFileBytes('Size');
  return fieldBytes(status, 'VmRSS') - ofFileBytes('Rss') + used;
}

/** Of a line like «Rss: 12 kB», 0 without it. */
const fieldBytes = (text: string, field: string) =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
