import { say } from '../../../src-preload/contract/saying.ts';
import { Slices } from '../../base/slices.ts';
import { invalidAdapter } from './adapter-error.ts';
import type { LoraAdapter, LoraMatrices } from './lora-adapter.ts';

/**
 * What an adapter may add to a weight of its model, and how long a row or column of its own may be. Weights are about 0.01 to 1, and what is learnt changes them by less. With
 * random numbers everywhere, SmolLM2-135M computed probabilities up to 57, and at 129 none that are numbers.
 */
const MOST = 100;

/**
 * Looks whether what others made changes the model within reason: numbers may be finite one by one, and nothing that is computed with them is.
 * @throws ADAPTER_INVALID
 */
export async function checkProportion({ rank, alpha, matrices }: LoraAdapter): Promise<void> {
  const slices = new Slices();
  for (const [name, matrix] of matrices) {
    const [a, b] = [longestColumn(matrix), longestRow(matrix, rank)];
    // No weight is changed by more than the product (Cauchy–Schwarz).
    const isWithin = [a, b, (alpha / rank) * a * b].every((length) => length <= MOST);
    if (!isWithin) throw invalidAdapter(say('adapters.proportion', { name }));
    if (slices.isOver) await slices.next();
  }
}

function longestColumn({ a, in: columns }: LoraMatrices): number {
  const squares = new Float64Array(columns);
  a.forEach((value, at) => {
    squares[at % columns] = (squares[at % columns] as number) + value ** 2;
  });
  return Math.sqrt(squares.reduce((most, square) => Math.max(most, square), 0));
}

function longestRow({ b, out: rows }: LoraMatrices, rank: number): number {
  let most = 0;
  for (let row = 0; row < rows; row++) {
    let square = 0;
    for (const value of b.subarray(row * rank, (row + 1) * rank)) square += value ** 2;
    most = Math.max(most, square);
  }
  return Math.sqrt(most);
}
