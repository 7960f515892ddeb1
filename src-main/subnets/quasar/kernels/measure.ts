import { median } from '../../../base/median.ts';
import type { SeededRandom } from '../../../validation/seeded-random.ts';
import { Arena, type Input } from './arena.ts';
import { inputsOf } from './correctness.ts';
import { fill, signed, usualGate } from './draws.ts';
import { KernelError, type KernelInstance, ofBaseline } from './kernel-instance.ts';
import { MAX_CHUNK, MEASURED_CHANNELS } from './limits.ts';
import { type MeasuredCall, MeasuredCheck } from './measured-check.ts';
import { medianRatio } from './statistics.ts';
import type { KernelSpeed } from './verdict.ts';

/** Numbers of which every chunk’s inputs are a part, each beginning anywhere: none comes twice. */
const POOL = 2 ** 19;
/** Pairs that are run, and checked, before the first that counts. */
const WARM_UP = 16;
/** Fewer say nothing. */
const LEAST_PAIRS = 15;
const CHANNELS = MEASURED_CHANNELS;

export interface Measuring {
  kernel: KernelInstance;
  baseline: KernelInstance;
  tokens: number;
  random: SeededRandom;
  /** Milliseconds after which it ends with what there is. */
  mostMs: number;
  /** Called after each pair with how much is done, 0 to 1; it may take its time. @returns whether something else was run meanwhile, so that the next pair does not count */
  between: (done: number) => Promise<boolean>;
}

/** One of the two, in its own run: the state that it carries, in an arena laid out like the other’s. */
interface Runner {
  kernel: KernelInstance;
  state: Float32Array<ArrayBuffer>;
  check: MeasuredCheck;
  /** Does what may show a fault of this one. */
  trying: <Result>(work: () => Result) => Result;
  /** Of full chunks that count, milliseconds. */
  times: number[];
}

/**
 * Has a kernel and the baseline go through the same long run side by side, chunk by chunk, in an order that is drawn for each: what else the
 * machine does meets both. Every output is checked, of both: what was a kernel in an earlier round may be the baseline of this one.
 *
 * @throws {@link KernelError}; {@link BaselineError} where the baseline is at fault
 */
export async function measure({ kernel, baseline, tokens, random, mostMs, between }: Measuring): Promise<KernelSpeed> {
  const [values, gates] = [pool(random, signed), pool(random, usualGate)];
  const arena = new Arena(MAX_CHUNK, CHANNELS, CHANNELS, random);
  const begun = new Float32Array(CHANNELS * CHANNELS);
  const runner = (one: KernelInstance, trying: Runner['trying']): Runner => {
    const check = new MeasuredCheck(CHANNELS, begun, random);
    return { kernel: one, trying, check, state: begun.slice(), times: [] };
  };
  const runners: [Runner, Runner] = [runner(kernel, (work) => work()), runner(baseline, ofBaseline)];
  const end = performance.now() + mostMs;
  const chunks = WARM_UP + Math.ceil(tokens / MAX_CHUNK);
  let counts = false;
  for (let chunk = 0; chunk < chunks && performance.now() < end; chunk++) {
    const length = chunk < chunks - 1 ? MAX_CHUNK : lastChunk(tokens);
    draw(inputsOf(arena, length, CHANNELS, CHANNELS), values, gates, random);
    runPair(runners, arena, length, { random, counts: counts && length === MAX_CHUNK });
    counts = !(await between(chunk / chunks)) && chunk >= WARM_UP - 1;
  }
  return resultOf(runners, mostMs);
}

const lastChunk = (tokens: number) => tokens - MAX_CHUNK * (Math.ceil(tokens / MAX_CHUNK) - 1);

function pool(random: SeededRandom, draw: (random: SeededRandom) => number): Float32Array {
  const numbers = new Float32Array(POOL);
  fill(numbers, () => draw(random));
  return numbers;
}

function draw(
  inputs: Record<Input, Float32Array>,
  values: Float32Array,
  gates: Float32Array,
  random: SeededRandom,
): void {
  for (const [name, numbers] of Object.entries(inputs)) {
    const from = random.below(POOL - numbers.length);
    numbers.set((name === 'g' ? gates : values).subarray(from, from + numbers.length));
  }
}

interface Pair {
  random: SeededRandom;
  counts: boolean;
}

/** Both calls come close upon each other; what is checked comes after them. */
function runPair(runners: [Runner, Runner], arena: Arena, tokens: number, { random, counts }: Pair): void {
  const inputs = inputsOf(arena, tokens, CHANNELS, CHANNELS);
  const calls = new Map<Runner, MeasuredCall>();
  for (const runner of random.coin() ? runners : runners.toReversed()) {
    arena.floats('out').fill(Number.NaN);
    arena.floats('state').set(runner.state);
    const ms = runner.trying(() => runner.kernel.call(arena, tokens, CHANNELS, CHANNELS));
    if (counts) runner.times.push(ms);
    const [out, state] = [arena.floats('out', tokens * CHANNELS).slice(), arena.floats('state').slice()];
    calls.set(runner, { tokens, dk: CHANNELS, dv: CHANNELS, ...inputs, before: runner.state, out, state });
    runner.state = state;
  }
  for (const [{ trying, check }, call] of calls) trying(() => check.check(call));
}

function resultOf([kernel, baseline]: [Runner, Runner], mostMs: number): KernelSpeed {
  const pairs = kernel.times.length;
  if (pairs < LEAST_PAIRS) throw new KernelError({ fault: 'late', pairs, ms: mostMs });
  return {
    right: true,
    ratio: medianRatio(baseline.times.map((ms, pair) => ms / (kernel.times[pair] as number))),
    tokensPerSecond: tokensPerSecond(kernel.times),
    baselineTokensPerSecond: tokensPerSecond(baseline.times),
  };
}

const tokensPerSecond = (times: number[]) => (MAX_CHUNK / median(times)) * 1_000;
