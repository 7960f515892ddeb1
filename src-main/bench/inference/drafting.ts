import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { SMOLLM_135M, writeRandomModel } from '../made-models/random-model.ts';
import { RandomTexts } from '../random-texts.ts';
import { type BenchEvent, benchRow, note } from '../row.ts';
import { engineSide } from './sides.ts';
import { threadText } from './streams.ts';

export interface BenchDraftingOptions {
  /** A GGUF file. Default: both are made. */
  model: string | undefined;
  /** One that guesses for it. Default: one that is made, and guesses all right: what drafting can gain at most. */
  draft: string | undefined;
  runs: number;
  /** To generate a request. */
  tokens: number;
  threads: readonly number[];
  signal?: AbortSignal | undefined;
}

/** Layers of the made model, and of those that add something: of them the made draft model is. */
const LAYERS = 60;
const TELLING = 3;
/** As sure of most words as trained models are. */
const SURENESS = 16;
const SEED = 42;
const STREAMS = [1, 2];
const PROMPT_TOKENS = 64;

/** Answers with a draft model ÷ the same without, greedy, in turns. What guessing costs is measured before, as a node does when it has nothing to do. */
export async function* benchDrafting({ threads, ...options }: BenchDraftingOptions): AsyncGenerator<BenchEvent> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  try {
    const pair = await pairOf(options, folder);
    for (const count of threads) yield* benchThreads({ ...options, ...pair }, count);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pairOf({ model, draft }: Pick<BenchDraftingOptions, 'model' | 'draft'>, folder: string) {
  if (model && draft) return { model, draft };
  // Figures of made ones in their place would be taken for theirs.
  if (model || draft) throw halfAPair();
  const made = { model: join(folder, 'made-model.gguf'), draft: join(folder, 'made-draft.gguf') };
  await writeRandomModel(made.model, { ...SMOLLM_135M, layers: LAYERS, telling: TELLING, sureness: SURENESS }, SEED);
  await writeRandomModel(made.draft, { ...SMOLLM_135M, layers: TELLING, sureness: SURENESS }, SEED);
  return made;
}

function halfAPair(): QuarryError {
  const message = 'A draft model guesses for another: name both, with --draft and --models, or neither.';
  return new QuarryError({ code: 'BAD_REQUEST', message });
}

async function* benchThreads(
  { model, draft, runs, tokens, signal }: Omit<BenchDraftingOptions, 'threads'> & { model: string; draft: string },
  threads: number,
): AsyncGenerator<BenchEvent> {
  const name = `${basename(draft, '.gguf')} for ${basename(model, '.gguf')}, ${threadText(threads)}`;
  yield note(`${name}: loading both, and measuring what guessing costs …`);
  await using opened = new AsyncDisposableStack();
  const shared = {
    modelPath: model,
    log: pino({ level: 'silent' }),
    gpuLayers: 0,
    threads,
    parallel: Math.max(...STREAMS),
  };
  const loaded = async (options: { draft?: { name: string; path: string; sha256: string } }) => {
    const engine = opened.adopt(new LocalBackend({ ...shared, contextSize: 1_024, ...options }), (one) => one.close());
    signal?.addEventListener('abort', () => void engine.close(), { once: true });
    await engine.open();
    engine.useDecodeCosts(await engine.measureDecoding());
    return engine;
  };
  const ours = await loaded({ draft: { name: basename(draft), path: draft, sha256: '' } });
  const peer = await loaded({});
  const costs = await ours.measureDrafting();
  ours.useDraftCosts(costs);
  for (const cost of costs) yield note(`${name}: ${JSON.stringify(cost)}`);
  const prompts = new RandomTexts(peer);
  const once = async (engine: LocalBackend, streams: number) =>
    engineSide(engine).complete(await prompts.several(streams, PROMPT_TOKENS), tokens);
  for (const engine of [ours, peer]) await once(engine, 1);
  for (const streams of STREAMS) {
    const figures = { ours: [] as number[], peer: [] as number[] };
    for (let run = 0; run < runs; run++) {
      figures.ours.push(await once(ours, streams));
      figures.peer.push(await once(peer, streams));
    }
    const row = { bench: 'inference', case: `${name}, streams: ${streams}`, unit: 'tokens/s', goal: '≥ 1' };
    yield { type: 'row', row: benchRow({ ...row, peerName: 'the same without', ...figures }) };
  }
  yield note(`${name}: ${JSON.stringify(ours.status().model?.draft)}`);
}
