import type { FileHandle } from 'node:fs/promises';
import { beforeEach, expect, it } from 'vitest';
import { type HandedChunk, LiveRecording } from '../../../../src-main/focus/recording/live-recording.ts';
import type { RecordingFiles } from '../../../../src-main/focus/recording/recording-files.ts';
import { identityFromSeed } from '../../../../src-main/mesh/transport/identity.ts';
import type { FocusRecordingStore, StoredChunk } from '../../../../src-main/store/focus/focus-recordings.ts';
import type { Recording } from '../../../../src-preload/contract/focus.ts';

/** What was done to the disk, in its order. */
let calls: string[];
let rows: StoredChunk[];
let flush: () => Promise<void>;
/** Most bytes that the system takes at once. */
let most: number;
beforeEach(() => {
  [calls, rows, most] = [[], [], Number.POSITIVE_INFINITY];
  flush = async () => {};
});

/** As a drive is: it takes a while, and less than it was given. */
const file = {
  async write(_: Uint8Array, _from: number, length: number, position: number) {
    await new Promise(setImmediate);
    const bytesWritten = Math.min(length, most);
    calls.push(`write ${bytesWritten} at ${position}`);
    return { bytesWritten };
  },
  async datasync() {
    await new Promise(setImmediate);
    await flush();
    calls.push('datasync');
  },
} as unknown as FileHandle;
const files = { openPart: async () => file } as unknown as RecordingFiles;
const store = {
  chunks: async () => [],
  async addChunk(_: string, chunk: StoredChunk) {
    calls.push(`addChunk ${chunk.chunk}`);
    rows.push(chunk);
  },
} as unknown as FocusRecordingStore;

const open = () =>
  LiveRecording.open(
    {
      ...{ store, files, signer: identityFromSeed(Buffer.alloc(32, 7)), now: () => 10_000 },
      ...{ isFull: async () => null, idleMs: async () => null },
    },
    { id: 'one', startedAt: 5_000, activeMs: 0, bytes: 0 } as Recording,
    { newPart: false, page: undefined },
  );

const handed = (chunk: number): HandedChunk => {
  const activity = { activeMs: 1_000 * (chunk + 1), motion: 0, keys: null, clicks: null, moves: null, picture: null };
  return { part: 0, chunk, activity, bytes: Buffer.alloc(10, chunk) };
};

it('a chunk is on the drive, all of it and flushed, before the row that names it', async () => {
  most = 6;
  const live = await open();
  await Promise.all([live.take(handed(0)), live.take(handed(1))]);
  expect(calls).toEqual([
    ...['write 6 at 0', 'write 4 at 6', 'datasync', 'addChunk 0'],
    ...['write 6 at 10', 'write 4 at 16', 'datasync', 'addChunk 1'],
  ]);
});

it('of a chunk that was not flushed there is no row, and it may come again in the same place', async () => {
  const live = await open();
  flush = async () => {
    throw new Error('The drive is gone.');
  };
  await expect(live.take(handed(0))).rejects.toThrow('The drive is gone.');
  expect([calls, rows]).toEqual([['write 10 at 0'], []]);
  flush = async () => {};
  expect(await live.take(handed(0))).toEqual({ nextChunk: 1, ended: null });
  expect(calls.slice(1)).toEqual(['write 10 at 0', 'datasync', 'addChunk 0']);
});
