import { vocabulary } from '../../src-main/bench/made-models/byte-level-bpe.ts';
import {
  CHATML_SPECIALS,
  layerWeights,
  type ModelShape,
  shapeMetadata,
} from '../../src-main/bench/made-models/model-shape.ts';
import { type GgufValue, writeGguf } from '../../src-main/gguf/writer.ts';

export interface HollowShape extends ModelShape {
  /** Tokens; at least 300. */
  vocabulary: number;
  /** Metadata besides, and in place of, what the shape says. */
  metadata?: [string, GgufValue][];
}

/** A model all of whose weights are 0: it takes the memory and the time of a real one, and is written in no time. */
export async function writeHollowModel(path: string, shape: HollowShape): Promise<number> {
  const words = vocabulary(CHATML_SPECIALS, []);
  for (let index = words.tokens.length; index < shape.vocabulary; index++) words.tokens.push(`Ġword${index}`);
  const layers = Array.from({ length: shape.layers }, (_, index) => layerWeights(shape, index)).flat();
  return writeGguf(path, {
    metadata: new Map([...shapeMetadata(shape, words), ...(shape.metadata ?? [])]),
    tensors: [
      { name: 'token_embd.weight', type: shape.type, shape: [shape.embedding, shape.vocabulary] },
      ...layers.map(({ name, columns, rows, kind }) =>
        kind === 'norm'
          ? { name, type: 'F32' as const, shape: [columns] as const }
          : { name, type: shape.type, shape: [columns, rows] as const },
      ),
      { name: 'output_norm.weight', type: 'F32', shape: [shape.embedding] },
    ],
  });
}
