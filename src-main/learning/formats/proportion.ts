import { say } from '../../../src-preload/contract/saying.ts';
import { Slices } from '../../base/slices.ts';
import { invalidAdapter } from './adapter-error.ts';
import type { LoraAdapter, LoraMatrices } from './lora-adapter.ts';

/**
 * What an adapter may add to a weight of its model, and how long a row or column of its own may be. Weights are about 0.01 to 1, and what is learnt changes them by less. With
 * random numbers everywhere, SmolLM2-135M computed probabilities up to 57, and at 129 none that are numbers.
 */
const MOST = 100;
/** Short ones, as many as the rank has numbers: the clock is not looked at for each. */
const ROWS_AT_ONCE = 128;

type Turns = Pick<Slices, 'isOver' | 'next'>;

/**
 * Looks whether what others made changes the model within reason: numbers may be finite one by one, and nothing that is computed with them is.
 * @throws ADAPTER_INVALID
 */
export async function checkProportion(
  { rank, alpha, matrices }: LoraAdapter,
  slices: Turns = new Slices(),
): Promise<void> {
  for (const [name, matrix] of matrices) {
    const [a, b] = [await longestColumn(matrix, slices), await longestRow(matrix, rank, slices)];
    // No weight is changed by more than the product (Cauchy–Schwarz).
    const isWithin = [a, b, (alpha / rank) * a * b].every((length) => length <= MOST);
    if (!isWithin) throw invalidAdapter(say('adapters.proportion', { name }));
  }
}

async function longestColumn({ a, in: columns }: LoraMatrices, slices: Turns): Promise<number> {
  const squares = new Float64Array(columns);
  for (let start = 0; start < a.length; start += columns) {
    for (let at = 0; at < columns; at++) squares[at] = (squares[at] as number) + (a[start + at] as number) ** 2;
    if (slices.isOver) await slices.next();
  }
  return Math.sqrt(squares.reduce((most, square) => Math.max(most, square), 0));
}

async function longestRow({ b, out: rows }: LoraMatrices, rank: number, slices: Turns): Promise<number> {
  let most = 0;
  for (let row = 0; row < rows; row++) {
    let square = 0;
    for (let at = row * rank; at < (row + 1) * rank; at++) square += (b[at] as number) ** 2;
    most = Math.max(most, square);
    if (row % ROWS_AT_ONCE === 0 && slices.isOver) await slices.next();
  }
  return Math.sqrt(most);
}
