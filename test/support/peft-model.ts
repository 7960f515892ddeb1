import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { learnMerges, toByteCharacters, vocabulary } from '../../src-main/bench/made-models/byte-level-bpe.ts';
import {
  CHATML_SPECIALS,
  layerWeights,
  type ModelShape,
  shapeMetadata,
} from '../../src-main/bench/made-models/model-shape.ts';
import { type GgufTensor, writeGguf } from '../../src-main/gguf/writer.ts';
import type { LoraAdapter } from '../../src-main/learning/formats/lora-adapter.ts';

/** A model as Hugging Face has it: each matrix row by row, by llama.cpp's names, Q and K as PEFT orders them. */
export interface PeftModel {
  shape: ModelShape;
  matrices: Map<string, { columns: number; rows: number; values: Float32Array }>;
}

/** Four heads for queries and two for keys: a mistake in either's order is seen. */
const SHAPE: Omit<ModelShape, 'architecture'> = {
  name: 'small',
  layers: 2,
  embedding: 64,
  heads: 4,
  kvHeads: 2,
  headSize: 16,
  feedForward: 96,
  contextLength: 256,
  type: 'F32',
};

const VOCABULARY = vocabulary(CHATML_SPECIALS, learnMerges(['hello world'].map(toByteCharacters)));

export function peftModel(architecture: ModelShape['architecture'], seed: number): PeftModel {
  const shape = { ...SHAPE, architecture };
  const random = seededRandom(seed);
  const weights = Array.from({ length: shape.layers }, (_, layer) => layerWeights(shape, layer)).flat();
  const matrices = new Map<string, { columns: number; rows: number; values: Float32Array }>();
  const add = (name: string, columns: number, rows: number, size: number) =>
    matrices.set(name, {
      columns,
      rows,
      values: Float32Array.from({ length: columns * rows }, () => size * random.normal()),
    });
  add('token_embd.weight', shape.embedding, VOCABULARY.tokens.length, 0.3);
  for (const { name, columns, rows, kind } of weights)
    if (kind === 'matrix') add(name, columns, rows, 2 / Math.sqrt(columns));
  return { shape, matrices };
}

/** Names of modules at Hugging Face and at llama.cpp, written once more. */
const MODULES = {
  q_proj: 'attn_q',
  k_proj: 'attn_k',
  v_proj: 'attn_v',
  o_proj: 'attn_output',
  gate_proj: 'ffn_gate',
  up_proj: 'ffn_up',
  down_proj: 'ffn_down',
};

/** The model with the adapter put into its weights: W + alpha / rank × B · A. */
export function merged({ shape, matrices }: PeftModel, { rank, alpha, matrices: changes }: LoraAdapter): PeftModel {
  const changed = new Map(matrices);
  for (const [name, { a, b }] of changes) {
    const [layer, module] = name.split('.') as [string, keyof typeof MODULES];
    const key = `blk.${layer}.${MODULES[module]}.weight`;
    const matrix = matrices.get(key);
    if (!matrix) throw new Error(`The model has no ${key}.`);
    const values = matrix.values.map((weight, at) => {
      const [row, column] = [Math.floor(at / matrix.columns), at % matrix.columns];
      let sum = 0;
      for (let inner = 0; inner < rank; inner++)
        sum += (b[row * rank + inner] ?? 0) * (a[inner * matrix.columns + column] ?? 0);
      return weight + (alpha / rank) * sum;
    });
    changed.set(key, { ...matrix, values });
  }
  return { shape, matrices: changed };
}

/** `reshape(heads, 2, size / 2, …).swapaxes(1, 2)`, as numpy has it and as llama.cpp's converter does it. */
function permuted(values: Float32Array, columns: number, heads: number): Float32Array {
  const half = values.length / columns / heads / 2;
  const out: number[] = [];
  for (let head = 0; head < heads; head++)
    for (let at = 0; at < half; at++)
      for (let part = 0; part < 2; part++) {
        const row = (head * 2 + part) * half + at;
        out.push(...values.subarray(row * columns, (row + 1) * columns));
      }
  return Float32Array.from(out);
}

/** The model as GGUF. */
export async function writePeftModel(path: string, { shape, matrices }: PeftModel): Promise<void> {
  const tensor = (name: string): GgufTensor => {
    const { columns, rows, values } = matrices.get(name) ?? { columns: 0, rows: 0, values: new Float32Array() };
    const heads = /attn_q\./.test(name) ? shape.heads : /attn_k\./.test(name) ? shape.kvHeads : undefined;
    const ordered = shape.architecture === 'llama' && heads ? permuted(values, columns, heads) : values;
    return {
      name,
      type: 'F32',
      shape: [columns, rows],
      fill: (row, at) => row.set(ordered.subarray(at * columns, (at + 1) * columns)),
    };
  };
  const norm = (name: string, columns: number): GgufTensor => ({
    name,
    type: 'F32',
    shape: [columns],
    fill: (row) => row.fill(1),
  });
  const weights = Array.from({ length: shape.layers }, (_, layer) => layerWeights(shape, layer)).flat();
  await writeGguf(path, {
    metadata: shapeMetadata(shape, VOCABULARY),
    tensors: [
      tensor('token_embd.weight'),
      ...weights.map(({ name, columns, kind }) => (kind === 'norm' ? norm(name, columns) : tensor(name))),
      norm('output_norm.weight', shape.embedding),
    ],
  });
}
