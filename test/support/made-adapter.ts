import { seededRandom } from '../../src-main/base/seeded-random.ts';
import type { BaseShape } from '../../src-main/learning/formats/base-shape.ts';
import {
  ADAPTER_MODULES,
  type AdapterModule,
  inOrder,
  type LoraAdapter,
  matrixName,
  modulesOf,
} from '../../src-main/learning/formats/lora-adapter.ts';

/** A small model's shape: two heads of keys for four of queries, eight wide. */
export function smallBase(architecture = 'llama', layers = 2): BaseShape {
  const size = (module: AdapterModule) =>
    ({
      q_proj: { in: 24, out: 32 },
      k_proj: { in: 24, out: 16 },
      v_proj: { in: 24, out: 16 },
      o_proj: { in: 32, out: 24 },
      gate_proj: { in: 24, out: 40 },
      up_proj: { in: 24, out: 40 },
      down_proj: { in: 40, out: 24 },
    })[module];
  const sizes = Array.from({ length: layers }, (_, layer) =>
    ADAPTER_MODULES.map((module) => [matrixName(layer, module), size(module)] as const),
  ).flat();
  return { architecture, layers, heads: 4, kvHeads: 2, sizes: new Map(sizes) };
}

export interface MadeAdapter {
  rank?: number;
  alpha?: number;
  seed?: number;
  /** Which matrices. Default: all. */
  only?: (name: string) => boolean;
  /** How large its numbers are. Default 0.1 */
  size?: number;
}

/** An adapter of random numbers that fits a model. */
export function madeAdapter(base: BaseShape, made: MadeAdapter = {}): LoraAdapter {
  const { rank = 3, alpha = 6, seed = 1, only = () => true, size = 0.1 } = made;
  const random = seededRandom(seed);
  const values = (count: number) => Float32Array.from({ length: count }, () => size * random.normal());
  const matrices = inOrder(
    [...base.sizes]
      .filter(([name]) => only(name))
      .map(([name, { in: columns, out }]) => [
        name,
        { a: values(rank * columns), b: values(out * rank), in: columns, out },
      ]),
  );
  const { architecture, layers } = base;
  return { base: { architecture, layers }, rank, alpha, modules: modulesOf(matrices.keys()), matrices };
}
