import { type FileHandle, open, stat } from 'node:fs/promises';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, type Words } from '../../src-preload/contract/saying.ts';
import { ignoring } from '../base/swallowed.ts';
import type { GgufSource } from './byte-cursor.ts';
import { GgufError } from './gguf-error.ts';
import { type GgufHeader, readGgufHeader } from './header.ts';
import { type ModelFacts, modelFacts } from './model-facts.ts';

/** A GGUF file whose header was read and found sound. */
export interface CheckedGguf {
  header: GgufHeader;
  facts: ModelFacts;
}

/**
 * Reads and checks all that a model file says before its weights: milliseconds, whatever the file’s size. What the weights
 * are worth only llama.cpp can tell.
 * @throws MODEL_NOT_FOUND; MODEL_INVALID with the reason, also for a piece of a model, an adapter or a projector
 */
export async function checkGguf(path: string): Promise<CheckedGguf> {
  return await reading(path, async (file) => {
    const header = await headerOf(file);
    return { header, facts: modelFacts(header) };
  });
}

/** Only the header, of any GGUF file. @throws MODEL_NOT_FOUND; MODEL_INVALID with the reason */
export async function readModelHeader(path: string): Promise<GgufHeader> {
  return await reading(path, headerOf);
}

/** @throws MODEL_NOT_FOUND when there is no such file */
export async function requireModelFile(path: string): Promise<void> {
  const info = await stat(path).catch(ignoring('a file that cannot be looked at cannot be loaded either'));
  if (info?.isFile()) return;
  throw new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: say('library.noFile', { path }),
    hint: say('library.checkPath'),
  });
}

/** A model file that cannot be loaded, and what to do about it. */
export function invalid(path: string, why: Words, options?: { cause?: unknown }): QuarryError {
  return new QuarryError(
    {
      code: 'MODEL_INVALID',
      message: say('library.invalid', { path, why }),
      hint: say('library.copyAgain'),
    },
    options,
  );
}

async function reading<T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> {
  await requireModelFile(path);
  const file = await open(path, 'r');
  try {
    return await read(file);
  } catch (error) {
    if (error instanceof GgufError) throw invalid(path, error.why, { cause: error });
    throw error;
  } finally {
    await file.close();
  }
}

/** Of an open file. @throws GgufError */
export async function headerOf(file: FileHandle): Promise<GgufHeader> {
  return await readGgufHeader(await ggufSource(file));
}

/** An open file, for whoever reads a header. */
export async function ggufSource(file: FileHandle): Promise<GgufSource> {
  const { size } = await file.stat();
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
  return { size, read };
}
