import { vocabulary } from '../../src-main/bench/made-models/byte-level-bpe.ts';
import {
  CHATML_SPECIALS,
  layerWeights,
  type ModelShape,
  shapeMetadata,
} from '../../src-main/bench/made-models/model-shape.ts';
import { type GgufTensor, writeGguf } from '../../src-main/gguf/writer.ts';

/** The longest word that is one token. With a space, four of them are what the engine looks at together before it reads a text as a whole. */
export const LONG_WORD = 'a'.repeat(1_023);

const SHAPE: ModelShape = {
  ...{ architecture: 'llama', name: 'Long tokens', layers: 1, embedding: 32, heads: 1, kvHeads: 1, headSize: 32 },
  ...{ feedForward: 32, contextLength: 4_096, type: 'F32' },
};

/**
 * Writes a model that reads {@link LONG_WORD} as one token: megabytes of text have few tokens, and are read in a moment. What it answers has no sense.
 * @returns its path
 */
export async function writeLongTokenModel(path: string): Promise<string> {
  const halves = Array.from({ length: 10 }, (_, power) => 'a'.repeat(2 ** power)); // 1 to 512: together they are the word
  const merges = halves.slice(0, -1).map((half) => `${half} ${half}`);
  halves.reduceRight((before, half) => {
    merges.push(`${before} ${half}`);
    return before + half;
  });
  const words = vocabulary(CHATML_SPECIALS, merges);
  const rows = words.tokens.length;
  const tensor = (name: string, shape: GgufTensor['shape'], value: (at: number) => number): GgufTensor => ({
    ...{ name, type: 'F32', shape },
    fill: (row, at) => row.fill(value(at)),
  });
  await writeGguf(path, {
    metadata: shapeMetadata(SHAPE, words),
    tensors: [
      tensor('token_embd.weight', [SHAPE.embedding, rows], (at) => at / rows),
      ...layerWeights(SHAPE, 0).map(({ name, columns, rows: count, kind }) =>
        kind === 'norm' ? tensor(name, [columns], () => 1) : tensor(name, [columns, count], () => 0.01),
      ),
      tensor('output_norm.weight', [SHAPE.embedding], () => 1),
    ],
  });
  return path;
}
