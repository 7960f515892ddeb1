import { copyFile, open } from 'node:fs/promises';
import { readModelHeader } from '../../src-main/gguf/model-file.ts';

/**
 * A copy of a model in which some layers do nothing: what they would add is 0. It is as large and has the same tokens, and is another model.
 * @param layers their numbers
 */
export async function writePrunedModel(from: string, to: string, layers: readonly number[]): Promise<void> {
  await copyFile(from, to);
  const { tensors, dataOffset } = await readModelHeader(to);
  const silent = layers.flatMap((layer) => [`blk.${layer}.attn_output.weight`, `blk.${layer}.ffn_down.weight`]);
  await using file = await open(to, 'r+');
  for (const { name, offset, bytes } of tensors) {
    if (silent.includes(name)) await file.write(Buffer.alloc(bytes), 0, bytes, dataOffset + offset);
  }
}
