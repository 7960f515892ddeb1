import { seededRandom } from '../../base/seeded-random.ts';
import type { GgufHeader } from '../../gguf/header.ts';
import { type GgufTensor, type GgufValue, writeGguf } from '../../gguf/writer.ts';

export interface MadeAdapter {
  /** Inner size of its matrices. Default 4. */
  rank?: number;
  /** Its change is scaled by `alpha / rank`. Default: the rank, so by 1. */
  alpha?: number;
  /** Standard deviation of the values of A; those of B are random alike. Default 0.1; 0: an adapter that changes nothing. */
  size?: number;
  seed?: number;
  /** Ends of the names of the model's matrices that it changes. Default: those of attention and feed-forward. */
  parts?: readonly string[];
  /** Puts the values of a row into the matrix `a` or `b` for a tensor, in place of random ones. */
  fill?: (half: 'a' | 'b', base: string, row: Float32Array, index: number) => void;
}

const PARTS = ['attn_q', 'attn_k', 'attn_v', 'attn_output', 'ffn_gate', 'ffn_up', 'ffn_down'];

/**
 * Writes an adapter (LoRA) for a model, as llama.cpp loads it, with F32 matrices.
 * @param model header of the model's file
 * @returns the file's size in bytes
 */
export async function writeMadeAdapter(path: string, model: GgufHeader, made: MadeAdapter = {}): Promise<number> {
  const { rank = 4, alpha = rank, size = 0.1, seed = 1, parts = PARTS } = made;
  const random = seededRandom(seed);
  const fill =
    made.fill ??
    ((_half: 'a' | 'b', _base: string, row: Float32Array) => {
      for (let at = 0; at < row.length; at++) row[at] = size * random.normal();
    });
  const bases = model.tensors.filter(({ name }) => parts.some((part) => name.endsWith(`.${part}.weight`)));
  const metadata = new Map<string, GgufValue>([
    ['general.architecture', { type: 'string', value: String(model.metadata.get('general.architecture')) }],
    ['general.type', { type: 'string', value: 'adapter' }],
    ['adapter.type', { type: 'string', value: 'lora' }],
    ['adapter.lora.alpha', { type: 'float32', value: alpha }],
  ]);
  const tensors = bases.flatMap(({ name, dimensions: [inputs = 0, outputs = 0] }): GgufTensor[] => [
    { name: `${name}.lora_a`, type: 'F32', shape: [inputs, rank], fill: (row, at) => fill('a', name, row, at) },
    { name: `${name}.lora_b`, type: 'F32', shape: [rank, outputs], fill: (row, at) => fill('b', name, row, at) },
  ]);
  return await writeGguf(path, { metadata, tensors });
}
