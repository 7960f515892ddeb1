import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { getLlama } from 'node-llama-cpp';
import { pino } from 'pino';
import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import { BATCH_TOKENS } from '../../inference/engine-protocol.ts';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { RandomTexts } from '../random-texts.ts';
import { type BenchEvent, benchRow, note, perSecond } from '../row.ts';

export interface BenchReadingOptions {
  model: string;
  runs: number;
  /** Tokens of the prompts. */
  lengths: readonly number[];
  /** The program. Default: node-llama-cpp's own loop. */
  llamaBench?: string;
}

/** Reads a prompt of about so many tokens that it has not read before. @returns tokens a second */
type Read = (length: number, text: string) => Promise<number>;

interface Peer extends AsyncDisposable {
  name: string;
  read: Read;
}

/** Room for a first token of the answer, and for a text that is a little longer than was meant. */
const AROUND = 512;
const THREADS = availableParallelism();

/** Tokens of long prompts that are read a second, on all threads of the processor: the engine child ÷ its peer. A length that the model is not made for is left out. */
export async function* benchReading({
  model,
  runs,
  lengths,
  llamaBench,
}: BenchReadingOptions): AsyncGenerator<BenchEvent> {
  const { facts } = await checkGguf(model);
  const fitting = lengths.filter((length) => length + AROUND <= facts.contextLength);
  for (const length of lengths.filter((one) => !fitting.includes(one)))
    yield note(
      `Left out: ${length.toLocaleString('en')} tokens, as the model is made for ${facts.contextLength.toLocaleString('en')}.`,
    );
  if (fitting.length === 0) return;
  const contextSize = Math.max(...fitting) + AROUND;
  const shared = { threads: THREADS, parallel: 1, contextSize, gpuLayers: 0 };
  const engine = new LocalBackend({ modelPath: model, log: pino({ level: 'silent' }), ...shared });
  try {
    await engine.open();
    await using peer = llamaBench === undefined ? await ownLoop(model, contextSize) : byLlamaBench(llamaBench, model);
    const texts = new RandomTexts(engine);
    for (const length of fitting) {
      const figures = { ours: [] as number[], peer: [] as number[] };
      for (let run = 0; run < runs; run++) {
        figures.ours.push(await readByEngine(engine, await texts.take(length)));
        figures.peer.push(await peer.read(length, await texts.take(length)));
      }
      const row = { bench: 'evaluate', case: `reading ${length.toLocaleString('en')} tokens`, unit: 'tokens/s' };
      yield { type: 'row', row: benchRow({ ...row, goal: '≥ 0.95', peerName: peer.name, ...figures }) };
    }
  } finally {
    await engine.close();
  }
}

async function readByEngine(engine: LocalBackend, prompt: string): Promise<number> {
  const began = performance.now();
  for await (const event of engine.generate({ input: { prompt }, maxTokens: 1, temperature: 0 })) {
    if (event.type === 'done') return perSecond(event.result.promptTokens, began);
  }
  throw new Error('The engine ended without a result.');
}

/** node-llama-cpp's own way to read a text, in this process: the same build of llama.cpp. */
async function ownLoop(modelPath: string, contextSize: number): Promise<Peer> {
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, progressLogs: false, maxThreads: 0 });
  const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
  const context = await model.createContext({ contextSize, batchSize: BATCH_TOKENS, threads: THREADS });
  const sequence = context.getSequence();
  return {
    name: 'node-llama-cpp’s own loop (no llama-bench given)',
    async read(_length, text) {
      await sequence.clearHistory();
      const tokens = model.tokenize(text);
      const began = performance.now();
      await sequence.evaluateWithoutGeneratingNewTokens(tokens);
      return perSecond(tokens.length, began);
    },
    [Symbol.asyncDispose]: () => llama.dispose(),
  };
}

const measured = z.array(z.object({ n_prompt: z.int(), avg_ts: z.number().positive() })).min(1);

/** llama.cpp's own measurement: tokens of its own, as long as is wanted. */
function byLlamaBench(program: string, model: string): Peer {
  return {
    name: 'llama-bench',
    async read(length) {
      const flags = {
        '-m': model,
        '-p': length,
        '-n': 0,
        '-r': 1,
        '-t': THREADS,
        '-ngl': 0,
        '-b': BATCH_TOKENS,
        '-o': 'json',
      };
      const { stdout } = await promisify(execFile)(
        program,
        Object.entries(flags).flatMap(([flag, value]) => [flag, String(value)]),
      );
      const found = measured.parse(JSON.parse(stdout)).find(({ n_prompt }) => n_prompt === length);
      if (found) return found.avg_ts;
      throw new QuarryError({ code: 'INTERNAL', message: `${program} says nothing of ${length} tokens.` });
    },
    async [Symbol.asyncDispose]() {},
  };
}
