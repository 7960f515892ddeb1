import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../../base/atomic-file.ts';
import { writeFully } from '../../../base/write-fully.ts';
import { readModelHeader } from '../../../gguf/model-file.ts';
import { ADAPTER_GGUF } from '../../formats/adapter-files.ts';
import { baseShape } from '../../formats/base-shape.ts';
import { readAdapterGguf } from '../../formats/gguf-adapter.ts';
import { loadAdapter } from '../saved-adapter.ts';
import type { BlobReader } from './blob-reader.ts';
import type { SentFiles } from './messages.ts';

/**
 * Writes what the other side has ready into a folder that is not there yet: all of it or nothing.
 * @param check looks at it before it gets its name
 * @throws what {@link BlobReader.read} and `check` throw, and the system
 */
export async function fetchFolder(
  folder: string,
  {
    files,
    reader,
    check,
    signal,
  }: {
    files: SentFiles;
    reader: BlobReader;
    check: (folder: string) => Promise<void>;
    signal: AbortSignal;
  },
): Promise<void> {
  const temporary = `${folder}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await fetchInto(temporary, { files, reader, signal });
    await check(temporary);
    await rename(temporary, folder);
    await syncFolder(dirname(folder));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Writes it into a new folder of its own. */
export async function fetchInto(
  folder: string,
  { files, reader, signal }: { files: SentFiles; reader: BlobReader; signal: AbortSignal },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { name, blob } of files) {
    const file = await open(join(folder, name), 'wx', 0o600);
    try {
      let at = 0;
      const take = async (bytes: Buffer) => {
        await writeFully(file, bytes, at);
        at += bytes.length;
      };
      await reader.read(blob, take, signal);
      await file.sync();
    } finally {
      await file.close();
    }
  }
  await syncFolder(folder);
}

/**
 * Looks whether both forms of a saved adapter are what they should be, and what the optimizer goes on from, before anything of this node's loads them.
 * @param modelPath GGUF file of the model that it is for
 * @throws ADAPTER_INVALID, UNSUPPORTED
 */
export async function checkSaved(folder: string, modelPath: string): Promise<void> {
  const base = baseShape(await readModelHeader(modelPath));
  await readAdapterGguf(join(folder, ADAPTER_GGUF), base);
  await loadAdapter(folder, base);
}
