import Hypercore, { type Manifest } from 'hypercore';

/**
 * A file is cut into blocks of so many bytes, the last one shorter. Part of the protocol: with another size, the same file
 * would have another key.
 */
export const BLOCK_BYTES = 128 * 1024;

export function blocksOf(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES);
}

/** Bytes of one block of a file that has `bytes`. */
export function blockLength(index: number, bytes: number): number {
  return Math.min(BLOCK_BYTES, bytes - index * BLOCK_BYTES);
}

/** The manifest of a file's core: nobody signs it, the tree's root hash (64 hex) and length seal it. */
export function fileManifest(treeHash: string, bytes: number): Manifest {
  const prologue = { hash: Buffer.from(treeHash, 'hex'), length: blocksOf(bytes) };
  return { version: 1, quorum: 0, signers: [], prologue };
}

/** The key of a file's core. It follows from the bytes alone: whoever has the same file serves the same core. */
export function fileCoreKey(treeHash: string, bytes: number): Buffer {
  return Hypercore.key(fileManifest(treeHash, bytes));
}

/** Where a core's blocks are kept, if not in its database. */
export interface BlockPlace {
  get(index: number): Promise<Uint8Array | null>;
  put(index: number, block: Uint8Array): void;
}

/**
 * Keeps a core's blocks elsewhere: only the tree and the bitfield stay in its database. A shared file would otherwise be on
 * disk twice, and a fetched one be written twice. Call it when the core is ready and has no other session.
 */
export function keepBlocksIn(place: BlockPlace, core: Hypercore): void {
  const { storage } = core.core;
  const read = storage.read.bind(storage);
  const write = storage.write.bind(storage);
  storage.read = (fork) => Object.assign(read(fork), { getBlock: (index: number) => place.get(index) });
  storage.write = () =>
    Object.assign(write(), { putBlock: (index: number, block: Uint8Array) => place.put(index, block) });
}
