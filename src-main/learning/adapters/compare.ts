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
 * is never made: ⟨B₁A₁, B₂A₂⟩ is the trace of (B₂ᵀB₁)(A₁A₂ᵀ), which are as small as the ranks.
 */
export async function compareAdapters(one: LoraAdapter, other: LoraAdapter): Promise<VersionComparison['modules']> {
  const slices = new Slices();
  const sums = new Map<AdapterModule, Squares>();
  for (const name of new Set([...one.matrices.keys(), ...other.matrices.keys()])) {
    const [first, second] = [changeOf(one, name), changeOf(other, name)];
    const [own, others, both] = [product(first, first), product(second, second), product(first, second)];
    const { module } = matrixPlace(name);
    const sum = sums.get(module) ?? { one: 0, other: 0, apart: 0 };
    sum.one += own;
    sum.other += others;
    sum.apart += own + others - 2 * both;
    sums.set(module, sum);
    if (slices.isOver) await slices.next();
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

/** ⟨s₁B₁A₁, s₂B₂A₂⟩ */
function product(one: Change | undefined, other: Change | undefined): number {
  if (!one || !other) return 0;
  let sum = 0;
  for (let row = 0; row < one.rank; row++) {
    for (let column = 0; column < other.rank; column++) {
      let a = 0;
      for (let at = 0; at < one.in; at++) a += (one.a[row * one.in + at] ?? 0) * (other.a[column * other.in + at] ?? 0);
      let b = 0;
      for (let at = 0; at < one.out; at++)
        b += (one.b[at * one.rank + row] ?? 0) * (other.b[at * other.rank + column] ?? 0);
      sum += a * b;
    }
  }
  return one.scale * other.scale * sum;
}
