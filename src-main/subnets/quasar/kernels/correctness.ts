import type { SeededRandom } from '../../../validation/seeded-random.ts';
import { Arena, type Input } from './arena.ts';
import { drawInputs, drawState, type KernelCase } from './cases.ts';
import { compare, shown } from './compare.ts';
import { KernelError, type KernelInstance } from './kernel-instance.ts';
import { type Conditioned, Reference } from './reference.ts';
import type { WrongPlace } from './verdict.ts';

/** One head of a case: its state in the arena, and in the reference. */
interface Head {
  buffer: 'state' | 'otherState';
  reference: Reference;
}

/** What a case has taken and how near it was. */
export interface CaseResult {
  /** Milliseconds in the kernel. */
  ms: number;
  /** The largest error, as a share of what is tolerated. */
  error: number;
}

/**
 * Has a kernel do a series of calls, and compares all that it gives with the reference, call by call.
 * @param number of cases before this one
 * @throws {@link KernelError} at the first thing that is wrong
 */
export function runCase(kernel: KernelInstance, one: KernelCase, number: number, random: SeededRandom): CaseResult {
  const { dk, dv, heads, chunks, kind } = one;
  const arena = new Arena(Math.max(...chunks), dk, dv, random);
  const states = (['state', 'otherState'] as const).slice(0, heads).map((buffer): Head => {
    const state = arena.floats(buffer);
    drawState(one, state, random);
    return { buffer, reference: new Reference(dk, dv, state) };
  });
  const result: CaseResult = { ms: 0, error: 0 };
  chunks.forEach((tokens, at) => {
    const { buffer, reference } = states[at % heads] as Head;
    const inputs = inputsOf(arena, tokens, dk, dv);
    drawInputs(one, inputs, random);
    arena.floats('out').fill(Number.NaN);
    const want = reference.step({ tokens, dk, dv, ...inputs });
    result.ms += kernel.call(arena, tokens, dk, dv, buffer);
    const place = { kind: kind.name, number, dk, dv, chunks: chunks.slice(0, at + 1) };
    const errors = [
      held(arena.floats('out', tokens * dv), want, { ...place, where: 'out' }),
      held(arena.floats(buffer), reference.state, { ...place, where: 'state' }),
    ];
    result.error = Math.max(result.error, ...errors);
  });
  return result;
}

/** The buffers of a chunk, as far as it reaches. */
export function inputsOf(
  arena: Arena,
  tokens: number,
  dk: number,
  dv: number,
): Record<Input, Float32Array<ArrayBuffer>> {
  const [keys, values] = [tokens * dk, tokens * dv];
  return {
    q: arena.floats('q', keys),
    k: arena.floats('k', keys),
    v: arena.floats('v', values),
    g: arena.floats('g', keys),
  };
}

/** @returns the largest error @throws {@link KernelError} */
function held(
  got: Float32Array,
  want: Conditioned,
  place: Omit<WrongPlace, 'row' | 'column' | 'expected' | 'got'>,
): number {
  const compared = compare(got, want);
  if ('error' in compared) return compared.error;
  const { wrongAt } = compared;
  const [row, column] = [Math.floor(wrongAt / place.dv), wrongAt % place.dv];
  const numbers = { expected: shown(want.value[wrongAt] as number), got: shown(got[wrongAt] as number) };
  throw new KernelError({ fault: 'wrong', place: { ...place, row, column, ...numbers } });
}
