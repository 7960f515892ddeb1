import type { SeededRandom } from '../../../validation/seeded-random.ts';
import { compare, shown } from './compare.ts';
import { unit } from './draws.ts';
import { KernelError } from './kernel-instance.ts';
import { OneChannel, summedUp } from './one-channel.ts';
import type { Chunk, Conditioned } from './reference.ts';
import type { WrongPlace } from './verdict.ts';

/** What a call of a run that is measured was given, and what came of it. */
export interface MeasuredCall extends Chunk {
  /** The state that it began with. */
  before: Float32Array;
  out: Float32Array;
  state: Float32Array;
}

/**
 * Checks every call of a run that is measured, in less time than the kernel takes for it: the value channels do not know of each other, and what is
 * computed is linear in them. So all of them are summed up with weights that no kernel sees, input and output alike, and the reference goes through the
 * whole run with that one channel. And of each call one channel, drawn afterwards, is looked at number by number.
 */
export class MeasuredCheck {
  readonly #random: SeededRandom;
  /** None is near zero, so no channel is left out. */
  readonly #weights: Float64Array;
  /** All channels summed up, since the run began. */
  readonly #summed: OneChannel;
  #calls = 0;

  /** @param state that the run begins with */
  constructor(dv: number, state: Float32Array, random: SeededRandom) {
    this.#random = random;
    this.#weights = Float64Array.from({ length: dv }, () => (random.coin() ? 1 : -1) * (0.5 + unit(random)));
    this.#summed = new OneChannel(summedUp(state, this.#weights));
  }

  /** @throws {@link KernelError} */
  check(call: MeasuredCall): void {
    this.#checkChannel(call, this.#random.below(call.dv));
    this.#checkSums(call);
    this.#calls++;
  }

  #checkChannel(call: MeasuredCall, column: number): void {
    const weights = new Float64Array(call.dv);
    weights[column] = 1;
    const channel = new OneChannel(summedUp(call.before, weights));
    const want = channel.step(call, summedUp(call.v, weights));
    this.#held(call, 'out', columnOf(call.out, column, call.dv), want, column);
    this.#held(call, 'state', columnOf(call.state, column, call.dv), channel.state, column);
  }

  #checkSums(call: MeasuredCall): void {
    const want = this.#summed.step(call, summedUp(call.v, this.#weights));
    this.#held(call, 'out', summedUp(call.out, this.#weights).value, want, null);
    this.#held(call, 'state', summedUp(call.state, this.#weights).value, this.#summed.state, null);
  }

  #held(call: MeasuredCall, where: WrongPlace['where'], got: Float64Array, want: Conditioned, column: number | null) {
    const compared = compare(got, want);
    if ('error' in compared) return;
    const { dk, dv, tokens } = call;
    const { wrongAt: row } = compared;
    const numbers = { expected: shown(want.value[row] as number), got: shown(got[row] as number) };
    const place = { kind: 'measured', number: this.#calls, dk, dv, chunks: [tokens], where, row, column, ...numbers };
    throw new KernelError({ fault: 'wrong', place });
  }
}

function columnOf(rows: Float32Array, column: number, columns: number): Float64Array {
  return Float64Array.from({ length: rows.length / columns }, (_, row) => rows[row * columns + column] as number);
}
