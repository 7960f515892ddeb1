import { open } from 'node:fs/promises';
import { GgufError } from './gguf-error.ts';
import { type GgufHeader, readGgufHeader } from './header.ts';
import { type ModelFacts, modelFacts } from './model-facts.ts';
import { checkModelFile, invalid } from './model-file.ts';

/** A GGUF file whose header was read and found sound. */
export interface CheckedGguf {
  header: GgufHeader;
  facts: ModelFacts;
}

/**
 * Reads and checks all that a model file says before its weights: milliseconds, whatever the file’s size. What the weights
 * are worth only llama.cpp can tell.
 * @throws MODEL_NOT_FOUND; MODEL_INVALID with the reason
 */
export async function checkGguf(path: string): Promise<CheckedGguf> {
  await checkModelFile(path);
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const read = async (offset: number, length: number): Promise<Uint8Array> => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    const header = await readGgufHeader({ size, read });
    return { header, facts: modelFacts(header) };
  } catch (error) {
    if (error instanceof GgufError) throw invalid(path, error.message, { cause: error });
    throw error;
  } finally {
    await file.close();
  }
}
