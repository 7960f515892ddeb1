import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Pick } from '../../../src-main/bench/hostile/schema-values.ts';
import { heapAfterCollecting } from './heap.ts';

/** How many times as many inputs as the suite makes by default: `QUARRY_FUZZ_TIMES`, 1 if not set. */
export const FUZZ_TIMES = Math.max(1, Number(process.env.QUARRY_FUZZ_TIMES ?? 1) || 1);
/** The suite meets the same inputs every time; a longer run draws a seed for each test, and `QUARRY_FUZZ_SEED` replays what failed. */
const SEED = process.env.QUARRY_FUZZ_SEED ?? (FUZZ_TIMES === 1 ? '1' : undefined);
const MINUTE_MS = 60_000;
const MEBIBYTE = 1024 ** 2;
const SHOWN_CHARS = 600;

export interface FuzzOptions {
  /** Inputs of a short run. */
  inputs: number;
  /** Most milliseconds of this process for one input, on all its threads. A longer run looks at it: the suite times nothing. */
  msEach: number;
  /** Most MiB by which the heap may grow from the middle of a long run to its end. Default 64. */
  heapMiB?: number;
}

/**
 * A test that meets one thing with so many inputs. Each is made out of a list of numbers, the choices of whoever makes it: fast-check
 * draws them, and finds the least that still fail. What fails is printed with its seed: `QUARRY_FUZZ_SEED` replays it.
 *
 * An exception that nobody caught and a promise that nobody waited for fail the run, as vitest sees them.
 *
 * @param make makes an input out of choices
 * @param meet throws when the input was not met as it should be
 */
export function fuzz<T>(
  title: string,
  options: FuzzOptions,
  make: (pick: Pick) => Promise<T> | T,
  meet: (input: T) => Promise<void> | void,
): void {
  const { inputs, msEach, heapMiB = 64 } = options;
  const numRuns = Math.round(inputs * FUZZ_TIMES);
  it(title, { timeout: 3 * MINUTE_MS + FUZZ_TIMES * 3 * MINUTE_MS }, async () => {
    const seed = Number(SEED ?? randomInt(2 ** 31));
    let met = 0;
    let middle = 0;
    const property = fc.asyncProperty(choices, async (tape) => {
      const input = await make(picker(tape));
      const before = process.cpuUsage();
      await meet(input);
      const { user, system } = process.cpuUsage(before);
      met++;
      if (FUZZ_TIMES === 1) return;
      expect((user + system) / 1_000, `milliseconds for ${shown(input)}`).toBeLessThan(msEach);
      if (met === numRuns >> 1) middle = heapAfterCollecting();
    });
    const started = performance.now();
    await fc.assert(property, { numRuns, seed, endOnFailure: process.env.QUARRY_FUZZ_SHRINK !== '1' });
    if (FUZZ_TIMES === 1) return; // so few show nothing
    const grown = (heapAfterCollecting() - middle) / MEBIBYTE;
    const seconds = Math.round((performance.now() - started) / 1_000);
    tell(`${title}: ${met} inputs in ${seconds} s, seed ${seed}, heap ${grown.toFixed(1)} MiB`);
    expect(grown, 'MiB that the heap has grown by').toBeLessThan(heapMiB);
  });
}

/** Thirty-two random bits a choice. A list that is used up goes on with zeros, the simplest choice. */
const choices = fc.array(fc.nat({ max: 0xffff_ffff }), { minLength: 40, maxLength: 120, size: 'max' });

function picker(tape: readonly number[]): Pick {
  let at = 0;
  return (bound) => (bound <= 1 ? 0 : (tape[at++] ?? 0) % bound);
}

function shown(input: unknown): string {
  const text = inspect(input, { maxStringLength: SHOWN_CHARS, depth: 1, breakLength: Number.POSITIVE_INFINITY });
  return text.slice(0, 2 * SHOWN_CHARS);
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
