import { BACKUP_PIECE_BYTES } from '../../../src-preload/contract/limits.ts';
import { client } from '../../api/client.ts';
import type { ByteProgress } from '../byte-work/useByteWork.ts';
import { backupFileName } from './file-name.ts';

export interface MadeBackup {
  content: Blob;
  name: string;
}

/** Has main make a backup, and gathers it: how far that is, and the file in the end. */
export async function* gatherBackup(password: string, signal: AbortSignal): AsyncGenerator<ByteProgress | MadeBackup> {
  const { id } = await client.node.status(undefined, { signal });
  const parts: Blob[] = [];
  let done = 0;
  for await (const { bytes, piece } of await client.backup.create({ password }, { signal })) {
    const part = new Blob([Uint8Array.from(atob(piece), (character) => character.charCodeAt(0))]);
    parts.push(part);
    done += part.size;
    yield { done, total: bytes };
  }
  yield { content: new Blob(parts, { type: 'application/octet-stream' }), name: backupFileName(id, new Date()) };
}

/** Brings a file to main: how far that is. */
export async function* bringBackup(file: Blob, signal: AbortSignal): AsyncGenerator<ByteProgress> {
  for (let at = 0; at === 0 || at < file.size; at += BACKUP_PIECE_BYTES) {
    const piece = await base64Of(file.slice(at, at + BACKUP_PIECE_BYTES));
    const { bytes } = await client.backup.upload({ at, piece }, { signal });
    yield { done: bytes, total: file.size };
  }
}

function base64Of(part: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(part);
  return promise;
}
