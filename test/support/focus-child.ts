import { flushCompileCache } from 'node:module';
import { Changes } from '../../src-main/base/changes.ts';
import { Recorder } from '../../src-main/focus/recording/recorder.ts';
import { RecordingFiles } from '../../src-main/focus/recording/recording-files.ts';
import { identityFromSeed } from '../../src-main/mesh/transport/identity.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { FocusRecordingStore } from '../../src-main/store/focus/focus-recordings.ts';
import { report } from './report.ts';

/*
 * A node that records until it is killed: `node focus-child.ts DATABASE FOLDER`. It goes on with what was interrupted, in the same part or a new one by
 * turns, and sometimes forgets what came last. Each chunk that is kept, by its word, is reported on standard output.
 */

flushCompileCache(); // who is killed does not do it at the end

const [path = '', folder = ''] = process.argv.slice(2);
const store = new FocusRecordingStore(await openDatabase(path));
const files = new RecordingFiles(folder);
const signer = identityFromSeed(Buffer.alloc(32, 7));
/** Chunks come faster than they would be recorded. */
let aheadMs = 0;
const recorder = new Recorder({
  store,
  files,
  signer,
  budget: () => 1e12,
  changes: new Changes(),
  free: async () => 1e12,
  now: () => Date.now() + aheadMs,
});
await recorder.open();

const [interrupted] = await store.inState('interrupted');
const about = { title: 'Kill', description: '', surface: 'tab', width: 64, height: 64 } as const;
const sound = { microphone: false, system: false };
let grant = interrupted
  ? await recorder.goOn(interrupted.id, interrupted.activeMs % 2_000 === 0)
  : await recorder.begin({ ...about, sound });
await report({ kept: 'begin', id: grant.id, activeMs: grant.activeMs });

let activeMs = grant.activeMs;
aheadMs = activeMs;
for (let count = 1, chunk = grant.nextChunk; ; count++, chunk++) {
  activeMs += 1_000;
  aheadMs += 1_000;
  const bytes = Buffer.alloc(20_000 + (activeMs % 7) * 1_000, chunk);
  const activity = { activeMs, motion: chunk % 100, keys: 0, clicks: 0, moves: 0, picture: null };
  await recorder.take(grant.token, { part: grant.part, chunk, activity, bytes });
  await report({ kept: 'chunk', activeMs });
  if (count % 40 !== 0) continue;
  await report({ kept: 'forgetting', activeMs: activeMs - 5_000 });
  ({ grant } = await recorder.forgetLast(grant.id, 5));
  activeMs = grant.activeMs;
  chunk = -1;
  await report({ kept: 'forgot', activeMs });
}
