import { open, stat } from 'node:fs/promises';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, type Words } from '../../src-preload/contract/saying.ts';
import { ignoring } from '../base/swallowed.ts';

const MAGIC = 'GGUF';
const HEADER_BYTES = 24;
const VERSIONS = [2, 3];
/** Far above any real model (DeepSeek-V3 has 2,000 tensors and 60 keys), far below what would exhaust memory. */
const MAX_TENSORS = 1_000_000n;
const MAX_KEYS = 100_000n;

/**
 * What can be told of a model file from its first 24 bytes, before anything parses it. A file that passes may still be
 * broken: the engine child finds that out, and may die of it.
 * @throws MODEL_NOT_FOUND, MODEL_INVALID
 */
export async function checkModelFile(path: string): Promise<void> {
  const info = await stat(path).catch(ignoring('what cannot be looked at is no file here'));
  if (!info?.isFile()) {
    throw new QuarryError({
      code: 'MODEL_NOT_FOUND',
      message: say('library.noFile', { path }),
      hint: say('library.checkPath'),
    });
  }
  const header = await readHeader(path);
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, 4) !== MAGIC) {
    throw invalid(path, 'it does not begin as a GGUF file does');
  }
  const version = header.readUInt32LE(4);
  if (!VERSIONS.includes(version)) throw invalid(path, `its GGUF version is ${version}, and 2 and 3 are known`);
  const tensors = header.readBigUInt64LE(8);
  const keys = header.readBigUInt64LE(16);
  if (tensors > MAX_TENSORS || keys > MAX_KEYS) {
    throw invalid(path, `it claims to have ${tensors} tensors and ${keys} keys`);
  }
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

async function readHeader(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(HEADER_BYTES);
    const { bytesRead } = await file.read(buffer, 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
