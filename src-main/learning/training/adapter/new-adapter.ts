import {
  ADAPTER_MODULES,
  type AdapterModule,
  type LoraAdapter,
  type LoraMatrices,
  matrixName,
  matrixPlace,
} from '../../formats/lora-adapter.ts';
import { moduleSize } from '../model/groups.ts';
import type { ModelShape } from '../model/shape.ts';
import { SeededRandom } from './seeded-random.ts';

/** What a new adapter is made by (see TrainerSettings). */
export interface AdapterSettings {
  rank: number;
  alpha: number;
  modules: readonly AdapterModule[];
  lastLayers?: number | undefined;
  seed: number;
}

/**
 * A new adapter, which changes nothing yet: each `a` uniform as PEFT begins (Kaiming, a = √5: within ±1/√in), each `b` 0. The same seed gives the same adapter everywhere.
 */
export function newAdapter(shape: ModelShape, settings: AdapterSettings): LoraAdapter {
  const { rank, alpha, modules, lastLayers = shape.layers, seed } = settings;
  const random = new SeededRandom(seed);
  const matrices = new Map<string, LoraMatrices>();
  const chosen = ADAPTER_MODULES.filter((module) => modules.includes(module));
  for (let layer = Math.max(0, shape.layers - lastLayers); layer < shape.layers; layer++) {
    for (const module of chosen) {
      const size = moduleSize(shape, module);
      const bound = 1 / Math.sqrt(size.in);
      const a = new Float32Array(rank * size.in).map(() => bound * (2 * random.next() - 1));
      matrices.set(matrixName(layer, module), { ...size, a, b: new Float32Array(size.out * rank) });
    }
  }
  return { base: { architecture: shape.architecture, layers: shape.layers }, rank, alpha, modules: chosen, matrices };
}

/** An adapter of zeros, of the same matrices as another. @param first the first layer of which it has some. Default: all */
export function zerosLike(adapter: LoraAdapter, first = 0): LoraAdapter {
  const matrices = new Map<string, LoraMatrices>();
  for (const [name, { a, b, ...size }] of adapter.matrices) {
    if (matrixPlace(name).layer < first) continue;
    matrices.set(name, { ...size, a: new Float32Array(a.length), b: new Float32Array(b.length) });
  }
  return { ...adapter, matrices };
}
