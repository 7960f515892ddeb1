import { type AdapterModule, type LoraAdapter, type LoraMatrices, matrixName } from '../../formats/lora-adapter.ts';
import { GROUPS, type Group, groupSize, moduleSize } from './groups.ts';
import type { Adapter } from './kernels.ts';
import type { ModelShape } from './shape.ts';

/** Where the matrices of one module lie in those of its group. */
interface Place {
  matrices: LoraMatrices;
  /** First row in `b`, of the module's outputs. */
  row: number;
  /** First row in `a`, first column in `b`. */
  inner: number;
}

/**
 * The adapters of a group's modules as one: the `a` below each other, the `b` down a diagonal, scaled by alpha / rank.
 * @returns undefined where none of the modules is changed
 */
export function stacked(
  adapter: LoraAdapter,
  shape: ModelShape,
  layer: number,
  group: Group,
): Adapter<Float32Array> | undefined {
  const found = places(adapter, shape, layer, group);
  if (found.length === 0) return undefined;
  const { rank } = adapter;
  const size = groupSize(shape, group);
  const inner = found.length * rank;
  const a = new Float32Array(inner * size.in);
  const b = new Float32Array(size.out * inner);
  const scale = adapter.alpha / rank;
  for (const place of found) {
    a.set(place.matrices.a, place.inner * size.in);
    eachOfB(place, rank, inner, (own, all) => {
      b[all] = scale * (place.matrices.b[own] as number);
    });
  }
  return { a, b };
}

/** Adds gradients by {@link stacked} matrices to those by the matrices themselves. @param sums of the same matrices as the adapter */
export function addUnstacked(
  sums: LoraAdapter,
  shape: ModelShape,
  { layer, group }: { layer: number; group: Group },
  gradients: Adapter<Float32Array>,
): void {
  const found = places(sums, shape, layer, group);
  const { rank } = sums;
  const width = groupSize(shape, group).in;
  const scale = sums.alpha / rank;
  for (const place of found) {
    const { a, b } = place.matrices;
    const from = place.inner * width;
    for (let at = 0; at < a.length; at++) a[at] = (a[at] as number) + (gradients.a[from + at] as number);
    eachOfB(place, rank, found.length * rank, (own, all) => {
      b[own] = (b[own] as number) + scale * (gradients.b[all] as number);
    });
  }
}

function places(adapter: LoraAdapter, shape: ModelShape, layer: number, group: Group): Place[] {
  const found: Place[] = [];
  let row = 0;
  for (const module of GROUPS[group] as readonly AdapterModule[]) {
    const matrices = adapter.matrices.get(matrixName(layer, module));
    if (matrices) found.push({ matrices, row, inner: found.length * adapter.rank });
    row += moduleSize(shape, module).out;
  }
  return found;
}

function eachOfB(
  { matrices, row, inner }: Place,
  rank: number,
  width: number,
  visit: (own: number, all: number) => void,
) {
  for (let out = 0; out < matrices.out; out++) {
    for (let at = 0; at < rank; at++) visit(out * rank + at, (row + out) * width + inner + at);
  }
}
