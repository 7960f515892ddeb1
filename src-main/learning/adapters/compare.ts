import type { VersionComparison } from '../../../src-preload/contract/learning-versions.ts';
import { Slices } from '../../base/slices.ts';
import { ADAPTER_MODULES, type AdapterModule, type LoraAdapter, matrixPlace } from '../formats/lora-adapter.ts';

/** What a version adds to a matrix: the sum of `scale × b aᵀ` of these pairs, one for each of its rank. */
interface Change {
  pairs: readonly { a: Float32Array; b: Float32Array }[];
  scale: number;
}

/** Squares of Frobenius norms of what two versions add to the model's matrices, and of the difference. */
interface Squares {
  one: number;
  other: number;
  apart: number;
}

/**
 * How much two versions change the model, and how far apart they are: Frobenius norms of `alpha / rank × B · A`, of each kind of module over all layers. The product
 * is never made: ⟨B₁A₁, B₂A₂⟩ is the trace of (B₂ᵀB₁)(A₁A₂ᵀ), which are as small as the ranks. For 1 billion parameters and rank 64 that takes some seconds, in slices.
 * @throws the signal's reason
 */
export async function compareAdapters(
  one: LoraAdapter,
  other: LoraAdapter,
  signal?: AbortSignal,
): Promise<VersionComparison['modules']> {
  const slices = new Slices(signal);
  const sums = new Map<AdapterModule, Squares>();
  for (const name of new Set([...one.matrices.keys(), ...other.matrices.keys()])) {
    const [first, second] = [await changeOf(one, name, slices), await changeOf(other, name, slices)];
    const [own, others] = [await square(first, slices), await square(second, slices)];
    const both = await product(first, second, slices);
    const { module } = matrixPlace(name);
    const sum = sums.get(module) ?? { one: 0, other: 0, apart: 0 };
    sum.one += own;
    sum.other += others;
    sum.apart += own + others - 2 * both;
    sums.set(module, sum);
  }
  return ADAPTER_MODULES.flatMap((module) => {
    const sum = sums.get(module);
    if (!sum) return [];
    // What is left of rounding may lie below zero.
    const norm = (square: number) => Math.sqrt(Math.max(0, square));
    return [{ module, one: norm(sum.one), other: norm(sum.other), apart: norm(sum.apart) }];
  });
}

async function changeOf({ rank, alpha, matrices }: LoraAdapter, name: string, slices: Slices): Promise<Change> {
  const found = matrices.get(name);
  if (!found) return { pairs: [], scale: 0 };
  const { a, b, in: columns } = found;
  const pairs = await slices.map([...Array(rank).keys()], (at) => {
    return { a: a.subarray(at * columns, (at + 1) * columns), b: columnOf(b, rank, at) };
  });
  return { pairs, scale: alpha / rank };
}

/** Beside each other, so that it is read many times as it lies in memory. */
function columnOf(values: Float32Array, width: number, column: number): Float32Array {
  const found = new Float32Array(values.length / width);
  for (let row = 0; row < found.length; row++) found[row] = values[row * width + column] ?? 0;
  return found;
}

/** ⟨sBA, sBA⟩ */
async function square({ pairs, scale }: Change, slices: Slices): Promise<number> {
  let sum = 0;
  for (const [place, one] of pairs.entries()) {
    for (let at = place; at < pairs.length; at++) {
      const other = pairs[at] ?? one;
      sum += (at === place ? 1 : 2) * dot(one.a, other.a) * dot(one.b, other.b);
    }
    if (slices.isOver) await slices.next();
  }
  return scale * scale * sum;
}

/** ⟨s₁B₁A₁, s₂B₂A₂⟩ */
async function product(one: Change, other: Change, slices: Slices): Promise<number> {
  let sum = 0;
  for (const first of one.pairs) {
    for (const second of other.pairs) sum += dot(first.a, second.a) * dot(first.b, second.b);
    if (slices.isOver) await slices.next();
  }
  return one.scale * other.scale * sum;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
