import { MOST_SOURCE_BYTES } from '../../../../src-preload/contract/optimiser-numbers.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { OptimiserAttemptRow, OptimiserStore } from '../../../store/optimiser.ts';
import { storable } from '../../../validation/answer-text.ts';
import { codeOf } from './answer-code.ts';
import type { Compiled } from './compile/compile-kernel.ts';
import { MOST_TOLD, type Question, questionFor, type Reader } from './context.ts';
import type { KernelTask } from './examine.ts';
import { compileOutcome, examinedOutcome, NO_CODE, type Outcome, repeatedOutcome } from './outcome.ts';
import { type Bounds, betterOf, type Next, nextOf, type Tried, temperatureOf } from './standing.ts';

/** What a model said. Counts are null where it does not tell. */
export interface Written {
  text: string;
  promptTokens: number | null;
  answerTokens: number | null;
}

/** Who writes. */
export interface Writer extends Reader {
  /** @throws what keeps it from answering; the signal’s reason */
  write(question: Question & { temperature: number }, signal: AbortSignal): Promise<Written>;
}

export interface OptimiseOptions {
  run: string;
  bounds: Bounds;
  /** Tokens of the sequence on which kernels are measured. */
  tokens: number;
  /** The source with which it begins; of somebody: it is the first attempt. */
  start: string;
  isOwn: boolean;
  /** The attempt that was the best so far; null: none was measured. */
  best: number | null;
  /** Ideas up to this one do not count for the plateau. */
  countsFrom: number;
  task: KernelTask;
  writer: Writer;
  compile(source: string, signal: AbortSignal): Promise<Compiled>;
  store: Pick<OptimiserStore, 'attempted' | 'latest' | 'attempt' | 'withSource'>;
  /** Told after each attempt. */
  onAttempt: () => void;
  /** 64 hex, another one for each module: who writes it must not know on what it is judged. */
  newSeed: () => string;
  /** Unix milliseconds. */
  now: () => number;
  signal: AbortSignal;
}

/** What came of a source, and its speed where it has one. */
type Judged = Outcome & { ratio: number | null; low: number | null; high: number | null };
const UNMEASURED = { ratio: null, low: null, high: null };

/**
 * Has a model write kernels, each tried and written down before the next one is asked for, until there is nothing left to do. What happened so far it reads from what is
 * written down: whoever was stopped or killed goes on there.
 * @returns why it has ended @throws what keeps it from going on; the signal’s reason
 */
export async function optimise(options: OptimiseOptions): Promise<'iterations' | 'plateau'> {
  const { run, store, bounds, isOwn, countsFrom, signal } = options;
  let past = await pastOf(options);
  for (;;) {
    signal.throwIfAborted();
    const next = nextOf(past.best, past.lately.at(-1), bounds, countsFrom);
    if (typeof next === 'string') return next;
    const row =
      isOwn && past.lately.length === 0
        ? await attempted(options, past, { iteration: 0, repair: 0 }, ownCode(options))
        : await asked(options, past, next);
    await store.attempted({ ...row, run });
    past = { lately: [...past.lately, row].slice(-MOST_TOLD), best: betterOf(past.best, row) };
    options.onAttempt();
  }
}

/** What of all attempts so far matters for the next one. */
interface Past {
  best: Tried | undefined;
  /** The newest, in their order. */
  lately: readonly Tried[];
}

async function pastOf({ run, store, best }: OptimiseOptions): Promise<Past> {
  const lately = await store.latest(run, MOST_TOLD);
  return { lately, best: best === null ? undefined : await store.attempt(run, best) };
}

/** What is brought is no answer of a model. */
const ownCode = ({ start, now }: OptimiseOptions): Brought => ({
  ...{ source: start, began: now(), temperature: null, promptTokens: null, answerTokens: null },
});

async function asked(options: OptimiseOptions, past: Past, next: Exclude<Next, string>): Promise<OptimiserAttemptRow> {
  const { task, start, writer, signal, now } = options;
  const began = now();
  const question = await questionFor({ task, start, ...past, mends: next.mends }, writer);
  const temperature = temperatureOf(next);
  const { text, ...tokens } = await writer.write({ ...question, temperature }, signal);
  const code = codeOf(text);
  const source = code === undefined ? undefined : storable(code, code.length);
  return await attempted(options, past, next, { source, began, temperature, ...tokens });
}

/** A source as it came, or that none did. */
interface Brought {
  source: string | undefined;
  /** When it was asked for, Unix milliseconds. */
  began: number;
  temperature: number | null;
  promptTokens: number | null;
  answerTokens: number | null;
}

async function attempted(
  options: OptimiseOptions,
  { lately }: Past,
  { iteration, repair }: { iteration: number; repair: number },
  { source, began, temperature, promptTokens, answerTokens }: Brought,
): Promise<OptimiserAttemptRow> {
  const hash = source === undefined ? null : sha256(source).toString('hex');
  const judged = await judgedSource(options, source, hash);
  const at = options.now();
  return {
    ...{ run: options.run, number: (lately.at(-1)?.number ?? -1) + 1, iteration, repair },
    ...{ source: keptOf(source), sha256: hash, ...judged },
    ...{ temperature, prompt_tokens: promptTokens, answer_tokens: answerTokens, seconds: (at - began) / 1_000, at },
  };
}

/** Of what is far too large nothing is kept. */
const keptOf = (source: string | undefined) =>
  source === undefined || Buffer.byteLength(source) > MOST_SOURCE_BYTES ? null : source;

async function judgedSource(
  { run, store, compile, task, tokens, newSeed, signal }: OptimiseOptions,
  source: string | undefined,
  hash: string | null,
): Promise<Judged> {
  if (source === undefined || hash === null) return { ...NO_CODE, ...UNMEASURED };
  const before = await store.withSource(run, hash);
  if (before) return { ...repeatedOutcome(before.number, before), ...UNMEASURED };
  const compiled = await compile(source, signal);
  if (!('module' in compiled)) return { ...compileOutcome(compiled, source), ...UNMEASURED };
  const examined = await task.examine(Buffer.from(compiled.module, 'base64'), { tokens, seed: newSeed(), signal });
  const { median: ratio, low, high } = examined.right ? examined.ratio : { median: null, low: null, high: null };
  return { ...examinedOutcome(examined), ratio, low, high };
}
