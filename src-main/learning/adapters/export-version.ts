import { constants, copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportForm } from '../../../src-preload/contract/learning-versions.ts';
import { ADAPTER_GGUF, PEFT_CONFIG, PEFT_TENSORS } from '../formats/adapter-files.ts';
import { writingFailed } from './adapter-problems.ts';
import { zipFiles } from './adapter-zip.ts';

const ZIPPED: Record<Exclude<ExportForm, 'gguf'>, string[]> = {
  zip: [PEFT_CONFIG, PEFT_TENSORS, ADAPTER_GGUF],
  peft: [PEFT_CONFIG, PEFT_TENSORS],
};

/** What an exported file is called: a name has slashes, a file has none. */
export function exportName(id: string, form: ExportForm): string {
  const ending = form === 'gguf' ? 'gguf' : 'zip';
  return `${id.replaceAll('/', '__')}.${ending}`;
}

/**
 * Writes a version as one file: llama.cpp's, or a zip with PEFT's two, or with all three.
 * @param folder of the version
 * @param target not there yet; nothing is left there when it fails
 * @param at of the files in a zip, Unix milliseconds
 * @throws EEXIST; DISK_FULL
 */
export async function writeExport(folder: string, form: ExportForm, target: string, at: number): Promise<void> {
  try {
    if (form === 'gguf') await copyFile(join(folder, ADAPTER_GGUF), target, constants.COPYFILE_EXCL);
    else await zipFiles(target, folder, ZIPPED[form], at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(target, { force: true });
    throw writingFailed(error);
  }
}
