import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Changes } from '../../src-main/base/changes.ts';
import { Library } from '../../src-main/focus/library/library.ts';
import { Recorder } from '../../src-main/focus/recording/recorder.ts';
import { RecordingFiles } from '../../src-main/focus/recording/recording-files.ts';
import { identityFromSeed, verify } from '../../src-main/mesh/transport/identity.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { FocusRecordingStore } from '../../src-main/store/focus/focus-recordings.ts';
import { startChild } from '../support/killed-child.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = fileURLToPath(new URL('../support/focus-child.ts', import.meta.url));
const KILLS = 6 * ROUNDS;
const NO_VIDEOS = { without: <T>(_: string, work: () => Promise<T>) => work() };
const signer = identityFromSeed(Buffer.alloc(32, 7));

interface Report {
  kept: 'begin' | 'chunk' | 'forgetting' | 'forgot';
  activeMs: number;
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-focus-kill-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Lets a node record until it is killed, some milliseconds after a report. @returns what it said */
async function recordUntilKilled(reports: number, afterMs: number): Promise<Report[]> {
  const child = startChild(CHILD, [join(dir, 'quarry.db'), join(dir, 'focus')]);
  const said: Report[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    said.push(JSON.parse(line));
    if (said.length === reports) setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  return said;
}

it(`a recording whose node is killed ${KILLS} times has every chunk that was taken, none that was forgotten, and its chain is whole`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const said = await recordUntilKilled(20 + kill * 13, kill % 5);
    const db = await openDatabase(join(dir, 'quarry.db'));
    const store = new FocusRecordingStore(db);
    const files = new RecordingFiles(join(dir, 'focus'));
    const recorder = new Recorder({ store, files, signer, budget: () => 1e12, changes: new Changes() });
    await recorder.open();
    const [recording, ...others] = await store.inState('interrupted');
    expect(others).toEqual([]);
    if (!recording) throw new Error('What was recorded is not there.');
    const last = said.at(-1);
    // What was handed over and not acknowledged may be there: one chunk. What was being forgotten is gone, or still there whole.
    const least = last?.activeMs ?? 0;
    const most = last?.kept === 'forgetting' ? least + 5_000 : least + 1_000;
    expect(recording.activeMs).toBeGreaterThanOrEqual(least);
    expect(recording.activeMs).toBeLessThanOrEqual(most);
    const library = new Library({ store, files, recorder, videos: NO_VIDEOS, signer: signer.id, verify });
    expect(await library.check(recording.id)).toMatchObject({ brokenAt: null });
    await recorder.close();
    await db.destroy();
  }
});
