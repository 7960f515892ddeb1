import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../../base/atomic-file.ts';
import { makeWhole } from '../../../base/atomic-folder.ts';
import { writeFully } from '../../../base/write-fully.ts';
import { readModelHeader } from '../../../gguf/model-file.ts';
import { ADAPTER_GGUF } from '../../formats/adapter-files.ts';
import { baseShape } from '../../formats/base-shape.ts';
import { readAdapterGguf } from '../../formats/gguf-adapter.ts';
import { checkProportion } from '../../formats/proportion.ts';
import { loadAdapter } from '../saved-adapter.ts';
import type { BlobReader } from './blob-reader.ts';
import type { SentFiles } from './messages.ts';
import { Nonsense } from './nonsense.ts';

/**
 * Writes what the other side has ready into a folder that is not there yet: all of it or nothing.
 * @param check looks at it before it gets its name
 * @throws what {@link BlobReader.read} and `check` throw, and the system
 */
export async function fetchFolder(
  folder: string,
  {
    files,
    most,
    reader,
    check,
    signal,
  }: {
    files: SentFiles;
    /** Bytes of a file. */
    most: number;
    reader: BlobReader;
    check: (folder: string) => Promise<void>;
    signal: AbortSignal;
  },
): Promise<void> {
  await makeWhole(folder, async (temporary) => {
    await fetchInto(temporary, { files, most, reader, signal });
    await check(temporary);
  });
}

/** An adapter may be as large as its model, and so large in any case, for the engine to take it; what the optimizer knows of it is twice as large. */
const ALWAYS_ALLOWED_BYTES = 64 << 20;

/** Bytes that each file of an adapter may have. @param modelPath GGUF file of the model that it is for */
export async function mostFileBytes(modelPath: string): Promise<number> {
  return 2 * Math.max((await stat(modelPath)).size, ALWAYS_ALLOWED_BYTES);
}

/** Writes it into a new folder of its own. @param most bytes of a file @throws Nonsense where one is larger, before any of it is asked for */
export async function fetchInto(
  folder: string,
  { files, most, reader, signal }: { files: SentFiles; most: number; reader: BlobReader; signal: AbortSignal },
): Promise<void> {
  if (files.some(({ blob }) => blob.size > most)) throw new Nonsense('a file that no adapter would have');
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
 * Looks whether both forms of a saved adapter are what they should be, within reason, and what the optimizer goes on from, before anything of this node's loads them.
 * @param modelPath GGUF file of the model that it is for
 * @throws ADAPTER_INVALID, UNSUPPORTED
 */
export async function checkSaved(folder: string, modelPath: string): Promise<void> {
  const base = baseShape(await readModelHeader(modelPath));
  await checkProportion(await readAdapterGguf(join(folder, ADAPTER_GGUF), base));
  await loadAdapter(folder, base);
}
