import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GgufTensor, type GgufValue, writeGguf } from '../src-main/gguf/writer.ts';

/** all-MiniLM-L6-v2, as its config.json has it. */
const LAYERS = 6;
const WIDTH = 384;
const HEADS = 12;
const FEED_FORWARD = 1536;
const CONTEXT = 512;
const NORM_EPSILON = 1e-12;

/** The special tokens and their places in vocab.txt. */
const SPECIALS = { '[PAD]': 0, '[UNK]': 100, '[CLS]': 101, '[SEP]': 102, '[MASK]': 103 } as const;
const TOKEN_TYPE = { normal: 1, control: 3 } as const;
const FILE_TYPE_F16 = 1;
const MEAN_POOLING = 1;

/** llama.cpp's names for what sentence-transformers calls so; a layer's begin with `blk.N.` and `encoder.layer.N.`. */
const OUTER = {
  token_embd: 'embeddings.word_embeddings',
  position_embd: 'embeddings.position_embeddings',
  token_types: 'embeddings.token_type_embeddings',
  token_embd_norm: 'embeddings.LayerNorm',
};
const INNER = {
  attn_q: 'attention.self.query',
  attn_k: 'attention.self.key',
  attn_v: 'attention.self.value',
  attn_output: 'attention.output.dense',
  attn_output_norm: 'attention.output.LayerNorm',
  ffn_up: 'intermediate.dense',
  ffn_down: 'output.dense',
  layer_output_norm: 'output.LayerNorm',
};
/** Small, and added as they are: llama.cpp wants them in full. */
const IN_FULL = ['position_embd', 'token_types'];

interface Weights {
  header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;
  data: Buffer;
}

/**
 * Writes all-MiniLM-L6-v2 as the `bert` GGUF that llama.cpp reads: matrices in F16, the rest in F32.
 * @param folder holds model.safetensors and vocab.txt
 * @throws when they hold something else
 */
export async function writeMiniLm(folder: string, target: string): Promise<void> {
  const weights = readWeights(await readFile(join(folder, 'model.safetensors')));
  const vocabulary = (await readFile(join(folder, 'vocab.txt'), 'utf8')).trimEnd().split('\n');
  const names = [
    ...Object.entries(OUTER),
    ...Array.from({ length: LAYERS }, (_, layer) =>
      Object.entries(INNER).map(
        ([ours, theirs]) => [`blk.${layer}.${ours}`, `encoder.layer.${layer}.${theirs}`] as const,
      ),
    ).flat(),
  ];
  await writeGguf(target, {
    metadata: metadata(vocabulary),
    tensors: names.flatMap(([ours, theirs]) => [
      tensor(weights, `${ours}.weight`, `${theirs}.weight`),
      ...(`${theirs}.bias` in weights.header ? [tensor(weights, `${ours}.bias`, `${theirs}.bias`)] : []),
    ]),
  });
}

/** Safetensors: the length of a JSON header, the header, and the numbers that it points to. */
function readWeights(bytes: Buffer): Weights {
  const length = Number(bytes.readBigUInt64LE(0));
  return { header: JSON.parse(bytes.toString('utf8', 8, 8 + length)), data: bytes.subarray(8 + length) };
}

function tensor({ header, data }: Weights, name: string, source: string): GgufTensor {
  const { dtype, shape, data_offsets } = header[source] ?? {};
  if (dtype !== 'F32' || !shape || !data_offsets) throw new Error(`The model has no ${source} in F32.`);
  const [columns = 0, rows] = [...shape].reverse();
  const inFull = rows === undefined || IN_FULL.some((small) => name.startsWith(small));
  return {
    name,
    type: inFull ? 'F32' : 'F16',
    shape: rows === undefined ? [columns] : [columns, rows],
    fill: (row, index) => {
      const start = data_offsets[0] + index * columns * 4;
      for (let column = 0; column < columns; column++) row[column] = data.readFloatLE(start + column * 4);
    },
  };
}

function metadata(vocabulary: readonly string[]): Map<string, GgufValue> {
  const uint32 = (value: number): GgufValue => ({ type: 'uint32', value });
  const string = (value: string): GgufValue => ({ type: 'string', value });
  for (const [text, id] of Object.entries(SPECIALS)) {
    if (vocabulary[id] !== text) throw new Error(`Token ${id} of vocab.txt is not ${text}.`);
  }
  return new Map<string, GgufValue>([
    ['general.architecture', string('bert')],
    ['general.type', string('model')],
    ['general.name', string('all-MiniLM-L6-v2')],
    ['general.license', string('apache-2.0')],
    ['general.file_type', uint32(FILE_TYPE_F16)],
    ['bert.block_count', uint32(LAYERS)],
    ['bert.context_length', uint32(CONTEXT)],
    ['bert.embedding_length', uint32(WIDTH)],
    ['bert.feed_forward_length', uint32(FEED_FORWARD)],
    ['bert.attention.head_count', uint32(HEADS)],
    ['bert.attention.layer_norm_epsilon', { type: 'float32', value: NORM_EPSILON }],
    ['bert.attention.causal', { type: 'bool', value: false }],
    ['bert.pooling_type', uint32(MEAN_POOLING)],
    ['tokenizer.ggml.model', string('bert')],
    ['tokenizer.ggml.tokens', { type: 'string[]', value: vocabulary.map(pieceText) }],
    ['tokenizer.ggml.token_type', { type: 'int32[]', value: vocabulary.map(tokenType) }],
    ['tokenizer.ggml.token_type_count', uint32(2)],
    ['tokenizer.ggml.padding_token_id', uint32(SPECIALS['[PAD]'])],
    ['tokenizer.ggml.unknown_token_id', uint32(SPECIALS['[UNK]'])],
    ['tokenizer.ggml.cls_token_id', uint32(SPECIALS['[CLS]'])],
    // The key is misspelt in llama.cpp, and so in every file.
    ['tokenizer.ggml.seperator_token_id', uint32(SPECIALS['[SEP]'])],
    ['tokenizer.ggml.mask_token_id', uint32(SPECIALS['[MASK]'])],
  ]);
}

/** BERT marks a piece that goes on («##ing»); llama.cpp marks one that begins a word («▁sing»). */
function pieceText(piece: string): string {
  if (/^\[.*\]$/.test(piece)) return piece;
  return piece.startsWith('##') ? piece.slice(2) : `▁${piece}`;
}

function tokenType(piece: string): number {
  return piece in SPECIALS ? TOKEN_TYPE.control : TOKEN_TYPE.normal;
}
