import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatMessage } from '../../../src-preload/contract/request.ts';
import { RandomTexts } from '../random-texts.ts';
import { type BenchEvent, benchRow, note, perSecond } from '../row.ts';
import { type Loaded, loadedSides } from './loaded.ts';
import { type Chat, type Complete, engineSide, rawSide, serverSide } from './sides.ts';

export interface BenchStreamsOptions {
  model: string;
  llamaServer: string | undefined;
  runs: number;
  /** To generate a request. */
  tokens: number;
  threads: readonly number[];
  signal?: AbortSignal | undefined;
}

const STREAMS = [1, 4, 8];
const PARALLEL = 8;
const CONTEXT = 1_024;
const PROMPT_TOKENS = 180;
const TURNS = 8;
const TURN_TOKENS = 40;
const ANSWER_TOKENS = 32;
const UNIT = 'tokens/s';
/** llama-server's second thread looks for work for tenths of a second after the last token (`ggml_graph_compute_poll_for_work`), on a core that the next side would use. */
const CALM_MS = 1_000;
/** Where batching loses with one thread, measuring the width shall gain. */
const goalOf = (streams: number, threads: number) => (streams === 4 && threads === 1 ? '≥ 1.3' : '≥ 1');

/**
 * The engine child ÷ llama-server, and ÷ the raw loop, all greedy, with the same model, threads, slots and context: 1, 4 and 8 requests at
 * once whose prompts have nothing in common, and a chat that each side may cache. The engine streams its answers, llama-server gives them
 * in one piece, which is the less work.
 */
export async function* benchStreams({ threads, ...options }: BenchStreamsOptions): AsyncGenerator<BenchEvent> {
  for (const count of threads) yield* benchThreads(options, count);
}

async function* benchThreads(
  { model, llamaServer, runs, tokens, signal }: Omit<BenchStreamsOptions, 'threads'>,
  threads: number,
): AsyncGenerator<BenchEvent> {
  yield note(`${threadText(threads)}: loading the model on all sides …`);
  await using sides = await loadedSides({
    model,
    llamaServer,
    threads,
    signal,
    parallel: PARALLEL,
    contextSize: CONTEXT,
  });
  const prompts = new RandomTexts(sides.engine);
  const compared = { ...sides, runs, tokens, prompts };
  await completed({ ...compared, runs: 1, tokens: 4 }, PARALLEL, PROMPT_TOKENS);
  for (const streams of STREAMS) {
    const figures = await completed(compared, streams, PROMPT_TOKENS);
    const name = `${streams} stream${streams > 1 ? 's' : ''}, ${threadText(threads)}`;
    yield* rowsOf(name, figures, goalOf(streams, threads));
  }
  yield* chatRow(compared, threadText(threads));
}

export interface Compared extends Pick<Loaded, 'engine' | 'raw' | 'server'> {
  prompts: RandomTexts;
  runs: number;
  tokens: number;
}

export interface Figures {
  ours: number[];
  raw: number[];
  server: number[];
}

/**
 * In turns, so that a machine that slows down or speeds up does so for all; who begins changes with each run. Between two sides is a pause:
 * turning the order alone leaves each side after the same one, and the engine always after llama-server.
 */
export async function completed(
  { engine, raw, server, prompts, runs, tokens }: Compared,
  streams: number,
  promptTokens: number,
): Promise<Figures> {
  const figures: Figures = { ours: [], raw: [], server: [] };
  const sides: [figures: number[], complete: Complete][] = [
    [figures.ours, engineSide(engine).complete],
    [figures.raw, rawSide(raw, engine).complete],
  ];
  if (server) sides.push([figures.server, serverSide(server).complete]);
  for (let run = 0; run < runs; run++) {
    for (const [measured, complete] of rotated(sides, run)) {
      const texts = await prompts.several(streams, promptTokens);
      await sleep(CALM_MS);
      measured.push(await complete(texts, tokens));
    }
  }
  return figures;
}

/** The same list, begun at another place. */
function rotated<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** One beside llama-server, and one beside the raw loop. */
export function* rowsOf(name: string, { ours, raw, server }: Figures, goal: string): Generator<BenchEvent> {
  const row = { bench: 'inference', case: name, unit: UNIT, ours };
  yield { type: 'row', row: benchRow({ ...row, goal, peerName: 'llama-server', peer: server }) };
  yield { type: 'row', row: benchRow({ ...row, goal: '≥ 0.97', peerName: 'a raw loop', peer: raw }) };
}

async function* chatRow({ engine, server, prompts, runs }: Compared, threads: string): AsyncGenerator<BenchEvent> {
  const figures = { ours: [] as number[], peer: [] as number[] };
  const once = async (chat: Chat) => await measureChat(chat, await prompts.several(TURNS, TURN_TOKENS));
  for (let run = 0; run < runs; run++) {
    figures.ours.push(await once(engineSide(engine).chat));
    if (server) figures.peer.push(await once(serverSide(server).chat));
  }
  const row = { bench: 'inference', case: `chat of ${TURNS} turns, ${threads}`, unit: UNIT, goal: '≥ 1' };
  yield { type: 'row', row: benchRow({ ...row, peerName: 'llama-server', ...figures }) };
}

async function measureChat(chat: Chat, questions: readonly string[]): Promise<number> {
  const messages: ChatMessage[] = [];
  const began = performance.now();
  let tokens = 0;
  for (const content of questions) {
    messages.push({ role: 'user', content });
    const answer = await chat(messages, ANSWER_TOKENS);
    messages.push({ role: 'assistant', content: answer.text });
    tokens += answer.tokens;
  }
  return perSecond(tokens, began);
}

export function threadText(threads: number): string {
  return threads === 1 ? '1 thread' : `${threads} threads`;
}
