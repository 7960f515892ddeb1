import { createHash } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ggufBytes, numberEntry, textEntry } from './gguf-bytes.ts';

const ENTRIES = [
  textEntry('general.architecture', 'llama'),
  numberEntry('llama.block_count', 1),
  numberEntry('llama.embedding_length', 32),
  numberEntry('llama.context_length', 256),
];

/** A file with the header of a model: enough for the library; llama.cpp would want more. */
export function ggufFile(content: string | Buffer = ''): Buffer {
  return Buffer.concat([ggufBytes({ keys: ENTRIES }), Buffer.from(content)]);
}

/** 64 hex. */
export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Puts a model into a folder as an import does, but without waiting for the disk. */
export async function install(folder: string, name: string, bytes: Buffer, importedAt: number): Promise<void> {
  const path = join(folder, `${name}.gguf`);
  await writeFile(path, bytes);
  const { mtimeMs: modifiedAt } = await stat(path);
  const note = { sha256: sha256Of(bytes), bytes: bytes.length, modifiedAt, importedAt, origin: 'imported' };
  await writeFile(`${path}.json`, JSON.stringify(note));
}

/** What `link` of node:fs/promises does between two drives. */
export async function linkBetweenDrives(): Promise<void> {
  throw Object.assign(new Error('EXDEV: cross-device link not permitted'), { code: 'EXDEV' });
}
