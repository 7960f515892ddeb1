import { join } from 'node:path';
import { Changes } from '../../src-main/base/changes.ts';
import { Recorder } from '../../src-main/focus/recording/recorder.ts';
import { RecordingFiles } from '../../src-main/focus/recording/recording-files.ts';
import { identityFromSeed } from '../../src-main/mesh/transport/identity.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { FocusRecordingStore, type NewRecording } from '../../src-main/store/focus/focus-recordings.ts';

const SECOND_MS = 1_000;

/**
 * Puts a recording into a data folder on which no node runs, as if it had been made just before: nobody has to wait for its seconds.
 * @param motions blocks that changed, second by second: it has so many seconds
 */
export async function addPastRecording(
  dataDir: string,
  about: NewRecording,
  stream: Buffer,
  motions: readonly number[],
): Promise<void> {
  const db = await openDatabase(join(dataDir, 'quarry.db'));
  const [store, files] = [new FocusRecordingStore(db), new RecordingFiles(join(dataDir, 'focus'))];
  let now = Date.now() - (motions.length + 60) * SECOND_MS;
  const signer = identityFromSeed(Buffer.alloc(32, 7));
  const room = { budget: () => 1e12, free: async () => 1e12, now: () => now };
  const recorder = new Recorder({ store, files, signer, ...room, changes: new Changes() });
  try {
    await recorder.open();
    const { id, token, part } = await recorder.begin(about);
    const size = Math.ceil(stream.length / motions.length);
    for (const [chunk, motion] of motions.entries()) {
      now += SECOND_MS;
      const activity = { activeMs: (chunk + 1) * SECOND_MS, motion, keys: null, clicks: null, moves: null };
      const bytes = stream.subarray(chunk * size, (chunk + 1) * size);
      await recorder.take(token, { part, chunk, activity: { ...activity, picture: null }, bytes });
    }
    await recorder.finish(id);
  } finally {
    await recorder.close();
    await db.destroy();
  }
}
