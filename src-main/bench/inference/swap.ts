import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import { EngineSlot } from '../../inference/host/engine-slot.ts';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { type BenchEvent, benchRow, note } from '../row.ts';
import { threadText } from './streams.ts';

export interface BenchSwapOptions {
  /** GGUF files: of one alone, it takes the place of itself. */
  models: readonly string[];
  runs: number;
  threads: readonly number[];
  signal?: AbortSignal | undefined;
}

const CONTEXT = 1_024;

/**
 * How long it takes until a model answers that another has to make room for, ÷ the same where there is none: the place of an engine
 * ends one, and its memory is free before the next is loaded.
 */
export async function* benchSwap({ models: [one = '', other = one], ...options }: BenchSwapOptions) {
  for (const threads of options.threads) {
    yield note(`${threadText(threads)}: one model in place of another …`);
    yield* swapped({ ...options, threads, one, other });
  }
}

async function* swapped({
  one,
  other,
  runs,
  threads,
  signal,
}: Omit<BenchSwapOptions, 'models' | 'threads'> & {
  one: string;
  other: string;
  threads: number;
}): AsyncGenerator<BenchEvent> {
  let modelPath = one;
  const shared = { threads, parallel: 1, contextSize: CONTEXT, gpuLayers: 0, log: pino({ level: 'silent' }) };
  const slot = new EngineSlot(async () => new LocalBackend({ ...shared, modelPath }));
  signal?.addEventListener('abort', () => void slot.close(), { once: true });
  const figures = { ours: [] as number[], peer: [] as number[] };
  try {
    for (let run = 0; run < runs; run++) {
      modelPath = other;
      await slot.close();
      figures.peer.push(await untilAnswered(slot));
      modelPath = one;
      await slot.close();
      await untilAnswered(slot);
      modelPath = other;
      figures.ours.push(await untilAnswered(slot, () => slot.close()));
    }
  } finally {
    await slot.close();
  }
  const row = { bench: 'inference', case: `one model in place of another, ${threadText(threads)}`, goal: '≤ 1.1' };
  yield {
    type: 'row',
    row: benchRow({ ...row, unit: 'ms, less is better', peerName: 'loading alone', ...figures }),
  };
}

/** @returns milliseconds until the first token */
async function untilAnswered(slot: EngineSlot, makeRoom: () => Promise<void> = async () => undefined): Promise<number> {
  const began = performance.now();
  await makeRoom();
  await slot.open();
  for await (const event of slot.generate({ input: { prompt: 'Hello' }, maxTokens: 1, temperature: 0 }))
    if (event.type === 'chunk') return performance.now() - began;
  throw new Error('The engine ended without a token.');
}
