import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type Corestore from 'corestore';
import { ifMissing } from '../../base/swallowed.ts';
import { MAX_MEAN_BYTES } from './log-shelf.ts';

/** What a log takes on the disk whatever it holds, and the hashes of a block, which stay when the block goes. Both measured. */
const LOG_BYTES = 5_000;
const HASH_BYTES = 115;

/** What a log takes on the disk. */
export interface Taken {
  /** Bytes of blocks, which can go. */
  blocks: number;
  /** Bytes that stay until the log goes whole. */
  rest: number;
}

/** What a log takes that was only named. */
export const NOTHING: Readonly<Taken> = { blocks: 0, rest: 0 };

/** With one block more. */
export function withBlock({ blocks, rest }: Taken, bytes: number): Taken {
  return { blocks: blocks + bytes, rest: (rest || LOG_BYTES) + HASH_BYTES };
}

/**
 * What a log takes, by the blocks that are here.
 * @param entries how many of its blocks have been here, though they may have gone
 */
export async function measureLog(store: Corestore, key: Buffer, entries: number): Promise<Taken> {
  const core = store.get({ key });
  try {
    await core.ready();
    if (core.length === 0) return NOTHING;
    const here = core.core.bitfield.countSet(0, core.length);
    // The mean is the word of whoever wrote the log: none is read that says more.
    const mean = Math.min(core.byteLength / core.length, MAX_MEAN_BYTES);
    return { blocks: here * mean, rest: LOG_BYTES + Math.max(here, entries) * HASH_BYTES };
  } finally {
    await core.close();
  }
}

/** What all logs together take on the disk, in bytes, whatever is known of them. */
export async function diskOf({ storage }: Corestore): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(storage.path, { recursive: true }))
    bytes += (await stat(join(storage.path, name)).catch(ifMissing))?.size ?? 0;
  return bytes;
}

/** Forgets the blocks of a log; they can be fetched again, and must be the same then. */
export async function clearLog(store: Corestore, key: Buffer): Promise<void> {
  const core = store.get({ key });
  try {
    await core.ready();
    await core.clear(0, core.length);
  } finally {
    await core.close();
  }
}
