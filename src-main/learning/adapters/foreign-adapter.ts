import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { openRegular } from '../../base/regular-file.ts';
import { ignoring } from '../../base/swallowed.ts';
import { invalidAdapter } from '../formats/adapter-error.ts';
import { ADAPTER_GGUF, PEFT_CONFIG, PEFT_TENSORS } from '../formats/adapter-files.ts';
import type { BaseShape } from '../formats/base-shape.ts';
import { mostFileBytes } from '../formats/check-adapter.ts';
import { readAdapterGguf } from '../formats/gguf-adapter.ts';
import type { LoraAdapter } from '../formats/lora-adapter.ts';
import { peftRank, readPeft } from '../formats/peft-adapter.ts';
import { MOST_CONFIG_BYTES } from '../formats/peft-config.ts';
import { unzipOne } from './adapter-zip.ts';
import type { VersionFiles } from './version-files.ts';

/**
 * Reads an adapter from elsewhere: a folder of PEFT's, a zip of its files or with a GGUF file, or a GGUF file of llama.cpp's.
 * @throws BAD_REQUEST when nothing is there; ADAPTER_INVALID; UNSUPPORTED
 */
export async function readForeign(path: string, base: BaseShape, files: VersionFiles): Promise<LoraAdapter> {
  const found = await stat(path).catch(ignoring('what cannot be looked at cannot be read'));
  if (!found) throw nothingThere(path);
  if (found.isDirectory()) return await readPeft(path, base);
  const kind = await beginning(path);
  if (kind === 'GGUF') return await readAdapterGguf(path, base);
  if (kind !== 'PK\u0003\u0004') throw invalidAdapter(say('adapters.otherForm'));
  return await files.withScratch((folder) => readZip(path, folder, base));
}

/** No more is written than an adapter for this model has: a small zip can hold very much. @param folder empty */
async function readZip(path: string, folder: string, base: BaseShape): Promise<LoraAdapter> {
  const take = (name: string, most: number) => unzipOne(path, folder, name, most);
  const hasConfig = await take(PEFT_CONFIG, MOST_CONFIG_BYTES);
  const isPeft = hasConfig && (await take(PEFT_TENSORS, mostFileBytes(base, await peftRank(folder))));
  if (!isPeft && (await take(ADAPTER_GGUF, mostFileBytes(base)))) {
    return await readAdapterGguf(join(folder, ADAPTER_GGUF), base);
  }
  return await readPeft(folder, base);
}

/** Nothing of what is no file. */
async function beginning(path: string): Promise<string> {
  const file = await openRegular(path);
  if (!file) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

const nothingThere = (path: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('adapters.nothingThere', { path }), field: 'path' });
