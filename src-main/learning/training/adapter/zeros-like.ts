import { type LoraAdapter, type LoraMatrices, matrixPlace } from '../../formats/lora-adapter.ts';

/** An adapter of zeros, of the same matrices as another. @param first the first layer of which it has some. Default: all */
export function zerosLike(adapter: LoraAdapter, first = 0): LoraAdapter {
  const matrices = new Map<string, LoraMatrices>();
  for (const [name, { a, b, ...size }] of adapter.matrices) {
    if (matrixPlace(name).layer < first) continue;
    matrices.set(name, { ...size, a: new Float32Array(a.length), b: new Float32Array(b.length) });
  }
  return { ...adapter, matrices };
}
