import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredShard } from '../../../store/clips/clip-shards.ts';
import { shardName, shardPath } from '../shards/shard-names.ts';

/** The data set's card. */
export const CARD = 'README.md';

/** A file as the hub has it. */
export interface RemoteFile {
  size: number;
  /** SHA-256 of a large one, 64 hex. */
  sha256: string | undefined;
  /** Git's name of a small one, 40 hex. */
  blob: string | undefined;
}

export interface PlannedFile {
  name: string;
  path: string;
  bytes: number;
  /** Null of the card. */
  shard: StoredShard | null;
}

/** What an upload does. */
export interface UploadPlan {
  send: PlannedFile[];
  /** Files of this node that are there, byte for byte. */
  there: StoredShard[];
  /** Those that were replaced, and are there yet. */
  remove: { name: string; shard: StoredShard }[];
  /** Those that were replaced, and are not there. */
  gone: StoredShard[];
  /** Those that were replaced, and were uploaded to another place: nobody has deleted them there. */
  elsewhere: StoredShard[];
}

/** Compares what is here with what is there. Files of others are left alone. @param url of the place, as it is kept of what was uploaded */
export async function planUpload(
  shards: readonly StoredShard[],
  { folder, url, remote }: { folder: string; url: string; remote: ReadonlyMap<string, RemoteFile> },
): Promise<UploadPlan> {
  const plan: UploadPlan = { send: [], there: [], remove: [], gone: [], elsewhere: [] };
  for (const shard of shards) {
    const name = shardName(shard.kind, shard.ulid);
    const found = remote.get(name);
    if (shard.replaced_at !== null) {
      if (found) plan.remove.push({ name, shard });
      else if (shard.uploaded_to === url) plan.gone.push(shard);
      else plan.elsewhere.push(shard);
    } else if (found?.size === shard.bytes && found.sha256 === shard.sha256) plan.there.push(shard);
    else plan.send.push({ name, shard, path: shardPath(folder, shard.kind, shard.ulid), bytes: shard.bytes });
  }
  const path = join(folder, CARD);
  const card = await readFile(path);
  const isChanged = remote.get(CARD)?.blob !== gitBlob(card);
  if (isChanged) plan.send.push({ name: CARD, path, bytes: card.length, shard: null });
  return plan;
}

/** How Git names a file by what is in it. */
export function gitBlob(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
