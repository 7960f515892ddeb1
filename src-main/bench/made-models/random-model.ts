import { type SeededRandom, seededRandom } from '../../base/seeded-random.ts';
import { type GgufTensor, writeGguf } from '../../gguf/writer.ts';
import { type BpeVocabulary, vocabulary } from './byte-level-bpe.ts';
import { CHATML_SPECIALS, type LayerWeight, layerWeights, type ModelShape, shapeMetadata } from './model-shape.ts';

/** A model of random weights: its speed is that of a trained one, its answers are made-up words. */
export interface RandomModelShape extends ModelShape {
  /** At least 512; filled up with made-up words. */
  vocabulary: number;
  /** So many layers compute and add something, the others after them compute and add nothing: it says what a model of the first ones alone says. Default: all add. */
  telling?: number;
  /** Standard deviation of the logits of words: the larger, the surer it is of each. Default 4. */
  sureness?: number;
}

/** The shape of SmolLM-135M (https://huggingface.co/HuggingFaceTB/SmolLM-135M), embeddings tied: about 143 MB. */
export const SMOLLM_135M: RandomModelShape = {
  architecture: 'llama',
  name: 'Random weights, SmolLM-135M shape',
  layers: 30,
  embedding: 576,
  heads: 9,
  kvHeads: 3,
  headSize: 64,
  feedForward: 1536,
  contextLength: 2048,
  type: 'Q8_0',
  vocabulary: 49_152,
};

/** The smallest qwen3 that is worth a test: under a megabyte, thousands of tokens a second. */
export const TINY_QWEN3: RandomModelShape = {
  architecture: 'qwen3',
  name: 'Random weights, tiny qwen3 shape',
  layers: 2,
  embedding: 128,
  heads: 4,
  kvHeads: 2,
  headSize: 32,
  feedForward: 256,
  contextLength: 4096,
  type: 'Q8_0',
  vocabulary: 1024,
};

/** Standard deviation of the logits of words, and of tokens that are far below the chosen word and so never come. */
const WORD_LOGIT = 4;
const QUIET_LOGIT = 0.04;

/**
 * Writes a GGUF file of the given shape with random weights, tied embeddings and the ChatML template.
 *
 * Only made-up words are ever generated: single bytes and special tokens (so the end of the answer too) have nearly no
 * weight in the output, and generation goes on until the token limit. The text of an answer gives the same tokens when
 * it is read again.
 * @param seed 32-bit unsigned; the same seed gives the same bytes on every machine
 * @returns the file's size in bytes
 */
export async function writeRandomModel(path: string, shape: RandomModelShape, seed: number): Promise<number> {
  const random = seededRandom(seed);
  const words = madeUpWords(shape.vocabulary);
  const firstWord = 256 + CHATML_SPECIALS.length + SYLLABLES.length;
  // Before the output, the norm makes every value near 1.
  const embeddingSize = (token: number) =>
    (token < firstWord ? QUIET_LOGIT : (shape.sureness ?? WORD_LOGIT)) / Math.sqrt(shape.embedding);
  const layers = Array.from({ length: shape.layers }, (_, index) => layerWeights(shape, index)).flat();
  return writeGguf(path, {
    metadata: shapeMetadata(shape, words),
    tensors: [
      {
        name: 'token_embd.weight',
        type: shape.type,
        shape: [shape.embedding, words.tokens.length],
        fill: (row, token) => fillNormal(row, random, embeddingSize(token)),
      },
      ...layers.map((weight) =>
        isIdle(weight, shape) ? zeroTensor(weight, shape) : randomTensor(weight, shape, random),
      ),
      normTensor('output_norm.weight', shape.embedding),
    ],
  });
}

/** Nothing of what a layer computes is added where its two outputs are 0; its other weights do not matter then. */
function isIdle({ name, kind }: LayerWeight, { telling = Number.POSITIVE_INFINITY }: RandomModelShape): boolean {
  return kind === 'matrix' && Number(name.split('.')[1]) >= telling;
}

function zeroTensor({ name, columns, rows }: LayerWeight, { type }: ModelShape): GgufTensor {
  return { name, type, shape: [columns, rows] };
}

function randomTensor({ name, columns, rows, kind }: LayerWeight, shape: ModelShape, random: SeededRandom): GgufTensor {
  if (kind === 'norm') return normTensor(name, columns);
  // Keeps the size of what flows through a layer, whatever its width is.
  const size = 1 / Math.sqrt(columns);
  return { name, type: shape.type, shape: [columns, rows], fill: (row) => fillNormal(row, random, size) };
}

function normTensor(name: string, columns: number): GgufTensor {
  return { name, type: 'F32', shape: [columns], fill: (row) => row.fill(1) };
}

function fillNormal(row: Float32Array, random: SeededRandom, size: number): void {
  for (let column = 0; column < row.length; column++) row[column] = size * random.normal();
}

const SYLLABLES = [...'bcdfghjklmnprstvwyz'].flatMap((consonant) =>
  [...'aeiou'].map((vowel) => `${consonant} ${vowel}`),
);

/**
 * Words of one, two, three … syllables after a space (`Ġ`), each grown from a shorter one by a merge of its own. No merge
 * crosses a space, so a text of such words is always split into the very tokens it was made of.
 */
function madeUpWords(size: number): BpeVocabulary {
  const merges = [...SYLLABLES];
  const endings = SYLLABLES.map((pair) => pair.replace(' ', ''));
  const wanted = size - 256 - CHATML_SPECIALS.length;
  const stems = ['Ġ'];
  for (let stem = stems.shift(); stem !== undefined && merges.length < wanted; stem = stems.shift()) {
    for (const ending of endings.slice(0, wanted - merges.length)) {
      merges.push(`${stem} ${ending}`);
      stems.push(stem + ending);
    }
  }
  return vocabulary(CHATML_SPECIALS, merges);
}
