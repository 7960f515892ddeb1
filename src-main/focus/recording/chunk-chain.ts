import type { ActivitySecond, ChainCheck } from '../../../src-preload/contract/focus.ts';
import { sha256 } from '../../base/sha256.ts';
import { type Signer, taggedBytes, type Verify } from '../../base/signing.ts';
import type { StoredChunk } from '../../store/focus/focus-recordings.ts';

const TAG = 'quarry-focus-chunk-1';

/** A chunk as it came, before it is signed. */
export interface NewChunk extends ActivitySecond {
  part: number;
  chunk: number;
  bytes: Uint8Array;
}

/** Which recording it is: what its first chunk stands on. */
export interface ChainRoot {
  recording: string;
  /** Unix milliseconds. */
  startedAt: number;
  signer: string;
}

/**
 * Signs a chunk together with the link of the one before it, and so with all of them: none can be taken out, put in, changed or moved without that being
 * seen, nor what was done in its time.
 *
 * @param previous the link before; undefined for the first
 */
export function linkChunk(
  root: ChainRoot,
  previous: string | undefined,
  { bytes, ...about }: NewChunk,
  { sign }: Signer,
): StoredChunk {
  const unsigned = { ...about, bytes: bytes.length, sha256: sha256(bytes).toString('hex') };
  const statement = signedBytes(root, previous, unsigned);
  return { ...unsigned, link: sha256(statement).toString('hex'), signature: sign(statement) };
}

/** Whether whom the root names has signed the first chunk of a recording. */
export function hasBegun(root: ChainRoot, { link: _, signature, ...unsigned }: StoredChunk, verify: Verify): boolean {
  return verify(root.signer, signedBytes(root, undefined, unsigned), signature);
}

/**
 * Whether all chunks are as they were signed, by whom the root names. Stops at the first that is not.
 * @param read the bytes of each, in their order
 */
export async function checkChain(
  root: ChainRoot,
  chunks: readonly StoredChunk[],
  read: (chunk: StoredChunk) => Promise<Uint8Array>,
  verify: Verify,
): Promise<Pick<ChainCheck, 'chunks' | 'brokenAt'>> {
  let previous: string | undefined;
  for (const [index, stored] of chunks.entries()) {
    const { link, signature, ...unsigned } = stored;
    const statement = signedBytes(root, previous, unsigned);
    const isSigned = sha256(statement).toString('hex') === link && verify(root.signer, statement, signature);
    if (!isSigned || sha256(await read(stored)).toString('hex') !== stored.sha256) {
      return { chunks: chunks.length, brokenAt: index };
    }
    previous = link;
  }
  return { chunks: chunks.length, brokenAt: null };
}

function signedBytes(
  root: ChainRoot,
  previous: string | undefined,
  chunk: Omit<StoredChunk, 'link' | 'signature'>,
): Buffer {
  return taggedBytes(TAG, { ...root, previous: previous ?? null, ...chunk });
}
