import { stat } from 'node:fs/promises';
import { ifMissing } from '../../base/swallowed.ts';
import type { FocusRecordingStore, StoredChunk } from '../../store/focus-recordings.ts';
import { cutIfThere } from './live-recording.ts';
import type { RecordingFiles } from './recording-files.ts';

/**
 * Makes files and rows of a recording agree, after whatever ended amid it: bytes that no chunk names were not written to their end, and chunks whose bytes are
 * not there were being forgotten, with all after them.
 */
export async function recover(store: FocusRecordingStore, files: RecordingFiles, id: string): Promise<void> {
  const chunks = await store.chunks(id);
  const { kept, ends } = await thoseThere(files, id, chunks);
  if (kept.length < chunks.length) await store.removeChunksFrom(id, kept.length);
  const parts = Math.max(0, ...chunks.map(({ part }) => part)) + 1;
  // One more: a part may have begun of which no chunk is there.
  for (let part = 0; part <= parts; part++) await cutIfThere(files, id, part, ends.get(part) ?? 0);
}

/** The chunks before the first whose bytes are not there, and where they end in each part. */
async function thoseThere(files: RecordingFiles, id: string, chunks: readonly StoredChunk[]) {
  const sizes = new Map<number, number>();
  const ends = new Map<number, number>();
  const kept: StoredChunk[] = [];
  for (const chunk of chunks) {
    const { part, bytes } = chunk;
    const size = sizes.get(part) ?? (await stat(files.part(id, part)).catch(ifMissing))?.size ?? 0;
    sizes.set(part, size);
    const end = (ends.get(part) ?? 0) + bytes;
    if (end > size) break;
    ends.set(part, end);
    kept.push(chunk);
  }
  return { kept, ends };
}
