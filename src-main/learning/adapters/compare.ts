import type { VersionComparison } from '../../../src-preload/contract/learning-versions.ts';
import { Slices } from '../../base/slices.ts';
import {
  ADAPTER_MODULES,
  type AdapterModule,
  type LoraAdapter,
  type LoraMatrices,
  matrixPlace,
} from '../formats/lora-adapter.ts';

type Change = LoraMatrices & { rank: number; scale: number };

/** Squares of Frobenius norms of what two versions add to the model's matrices, and of the difference. */
interface Squares {
  one: number;
  other: number;
  apart: number;
}

/**
 * How much two versions change the model, and how far apart they are: Frobenius norms of `alpha / rank × B · A`, of each kind of module over all layers. The product
 * is never made: ⟨B₁A₁, B₂A₂⟩ is the trace of (B₂ᵀB₁)(A₁A₂ᵀ), which are as small as the ranks. With large ranks that takes minutes, with turns for others in between.
 * @throws the signal's reason
 */
export async function compareAdapters(
  one: LoraAdapter,
  other: LoraAdapter,
  signal?: AbortSignal,
): Promise<VersionComparison['modules']> {
  const slices = new Slices();
  const turn = async () => {
    if (slices.isOver) await slices.next();
    signal?.throwIfAborted();
  };
  const sums = new Map<AdapterModule, Squares>();
  for (const name of new Set([...one.matrices.keys(), ...other.matrices.keys()])) {
    const [first, second] = [changeOf(one, name), changeOf(other, name)];
    const own = await product(first, first, turn);
    const others = await product(second, second, turn);
    const both = await product(first, second, turn);
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

function changeOf({ rank, alpha, matrices }: LoraAdapter, name: string): Change | undefined {
  const found = matrices.get(name);
  return found && { ...found, rank, scale: alpha / rank };
}

/** ⟨s₁B₁A₁, s₂B₂A₂⟩. @param turn called after each row of the small matrices */
async function product(one: Change | undefined, other: Change | undefined, turn: () => Promise<void>): Promise<number> {
  if (!one || !other) return 0;
  let sum = 0;
  for (let row = 0; row < one.rank; row++) {
    const ofB = rowOfB(one, other, row);
    for (let column = 0; column < other.rank; column++) {
      let a = 0;
      for (let at = 0; at < one.in; at++) a += (one.a[row * one.in + at] ?? 0) * (other.a[column * other.in + at] ?? 0);
      sum += a * (ofB[column] ?? 0);
    }
    await turn();
  }
  return one.scale * other.scale * sum;
}

/** A row of B₁ᵀB₂: as many values as the other's rank. */
function rowOfB(one: Change, other: Change, row: number): Float64Array {
  const sums = new Float64Array(other.rank);
  for (let at = 0; at < one.out; at++) {
    const value = one.b[at * one.rank + row] ?? 0;
    const from = at * other.rank;
    for (let column = 0; column < other.rank; column++) {
      sums[column] = (sums[column] ?? 0) + value * (other.b[from + column] ?? 0);
    }
  }
  return sums;
}
