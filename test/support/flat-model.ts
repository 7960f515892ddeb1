import { type GgufTensor, type GgufValue, writeGguf } from '../../src-main/gguf/writer.ts';

const WIDTH = 4;
const FEED = 4;

/**
 * Writes a model of the architecture llama that gives the same logits everywhere, whatever was said before: its one layer adds nothing.
 * @returns its path
 */
export async function writeFlatModel(path: string, logits: readonly number[]): Promise<string> {
  const number = (value: number): GgufValue => ({ type: 'uint32', value });
  const float = (value: number): GgufValue => ({ type: 'float32', value });
  const matrix = (name: string, columns: number, rows: number, value = 0): GgufTensor => ({
    ...{ name, type: 'F32', shape: [columns, rows] },
    fill: (row) => row.fill(value),
  });
  const norm = (name: string): GgufTensor => ({ name, type: 'F32', shape: [WIDTH], fill: (row) => row.fill(1) });
  const vocabulary = logits.length;
  await writeGguf(path, {
    metadata: new Map<string, GgufValue>([
      ['general.architecture', { type: 'string', value: 'llama' }],
      ['llama.block_count', number(1)],
      ['llama.context_length', number(64)],
      ['llama.embedding_length', number(WIDTH)],
      ['llama.feed_forward_length', number(FEED)],
      ['llama.attention.head_count', number(1)],
      ['llama.attention.head_count_kv', number(1)],
      ['llama.attention.layer_norm_rms_epsilon', float(0)],
      ['llama.vocab_size', number(vocabulary)],
    ]),
    tensors: [
      matrix('token_embd.weight', WIDTH, vocabulary, 1),
      norm('output_norm.weight'),
      {
        ...{ name: 'output.weight', type: 'F32', shape: [WIDTH, vocabulary] },
        fill: (row, index) => {
          row[0] = logits[index] ?? 0;
        },
      },
      norm('blk.0.attn_norm.weight'),
      norm('blk.0.ffn_norm.weight'),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => matrix(`blk.0.${name}.weight`, WIDTH, WIDTH)),
      ...['ffn_gate', 'ffn_up'].map((name) => matrix(`blk.0.${name}.weight`, WIDTH, FEED)),
      matrix('blk.0.ffn_down.weight', FEED, WIDTH),
    ],
  });
  return path;
}
