import { say } from '../../../src-preload/contract/saying.ts';
import type { Slices } from '../../base/slices.ts';
import { unsupportedAdapter } from './adapter-error.ts';
import type { BaseShape } from './base-shape.ts';
import {
  ADAPTER_MODULES,
  type AdapterModule,
  inOrder,
  type LoraAdapter,
  type LoraMatrices,
  matrixPlace,
  modulesOf,
} from './lora-adapter.ts';

export interface NewAdapter {
  rank: number;
  alpha: number;
  /** Default: all seven. */
  modules?: readonly AdapterModule[] | undefined;
  /** How many layers, counted from the last. Default: all. */
  lastLayers?: number | undefined;
}

/**
 * An adapter that changes nothing yet: A uniform within ±1/√in (Kaiming with a = √5, as PEFT begins), B zero.
 * One of rank 64 for 8 billion parameters takes 84 million numbers, a second or more.
 * @param uniform numbers in [0, 1)
 * @param slices gives others a turn in between. Default: nobody waits
 * @throws UNSUPPORTED when the model has none of the modules
 */
export async function newAdapter(
  base: BaseShape,
  wanted: NewAdapter,
  uniform: () => number,
  slices?: Pick<Slices, 'isOver' | 'next'>,
): Promise<LoraAdapter> {
  const { rank, alpha, modules = ADAPTER_MODULES, lastLayers = base.layers } = wanted;
  const matrices: [string, LoraMatrices][] = [];
  for (const [name, size] of inOrder(base.sizes)) {
    const { layer, module } = matrixPlace(name);
    if (!modules.includes(module) || layer < base.layers - lastLayers) continue;
    const bound = 1 / Math.sqrt(size.in);
    const a = new Float32Array(rank * size.in);
    for (let row = 0; row < rank; row++) {
      fillUniform(a.subarray(row * size.in, (row + 1) * size.in), bound, uniform);
      if (slices?.isOver) await slices.next();
    }
    matrices.push([name, { a, b: new Float32Array(size.out * rank), ...size }]);
  }
  if (matrices.length === 0) throw unsupportedAdapter(say('adapters.noMatrices', { architecture: base.architecture }));
  const { architecture, layers } = base;
  const found = modulesOf(matrices.map(([name]) => name));
  return {
    base: { architecture, layers },
    rank,
    alpha: Math.fround(alpha),
    modules: found,
    matrices: new Map(matrices),
  };
}

function fillUniform(values: Float32Array, bound: number, uniform: () => number): void {
  for (let at = 0; at < values.length; at++) values[at] = bound * (2 * uniform() - 1);
}
