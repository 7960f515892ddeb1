import { say } from '../../../src-preload/contract/saying.ts';
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
 * @param uniform numbers in [0, 1)
 * @throws UNSUPPORTED when the model has none of the modules
 */
export function newAdapter(base: BaseShape, wanted: NewAdapter, uniform: () => number): LoraAdapter {
  const { rank, alpha, modules = ADAPTER_MODULES, lastLayers = base.layers } = wanted;
  const matrices: [string, LoraMatrices][] = [];
  for (const [name, size] of inOrder(base.sizes)) {
    const { layer, module } = matrixPlace(name);
    if (!modules.includes(module) || layer < base.layers - lastLayers) continue;
    const bound = 1 / Math.sqrt(size.in);
    const a = Float32Array.from({ length: rank * size.in }, () => bound * (2 * uniform() - 1));
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
