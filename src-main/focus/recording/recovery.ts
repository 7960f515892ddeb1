import type { FocusRecordingStore, StoredChunk } from '../../store/focus/focus-recordings.ts';
import type { RecordingFiles } from './recording-files.ts';

/**
 * Makes files and rows of a recording agree, after whatever ended amid it: bytes that no chunk names were not written to their end, and chunks whose bytes are
 * not there were being forgotten, with all after them.
 */
export async function recover(store: FocusRecordingStore, files: RecordingFiles, id: string): Promise<void> {
  const chunks = await store.chunks(id);
  const kept = await countThere(files, id, chunks);
  const firstGone = chunks[kept];
  if (firstGone) await store.removeChunksFrom(id, firstGone);
  // One more: a part may have begun of which no chunk is there.
  await files.cutTo(id, chunks.slice(0, kept), (chunks.at(-1)?.part ?? 0) + 1);
}

/** How many chunks there are before the first whose bytes are not there. */
async function countThere(files: RecordingFiles, id: string, chunks: readonly StoredChunk[]): Promise<number> {
  let [part, size, end] = [-1, 0, 0];
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.part !== part) [part, size, end] = [chunk.part, await files.bytesOf(id, chunk.part), 0];
    end += chunk.bytes;
    if (end > size) return index;
  }
  return chunks.length;
}
