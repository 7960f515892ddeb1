/** @module-tag long */
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parquetRecords } from '../../src-main/clips/dataset/shards/parquet-records.ts';
import { shardName } from '../../src-main/clips/dataset/shards/shard-names.ts';
import { ClipShardStore } from '../../src-main/store/clips/clip-shards.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { madeVideo } from '../support/clips/data-rows.ts';
import { startChild } from '../support/killed-child.ts';

const CHILD = fileURLToPath(new URL('../support/clips/data-set-child.ts', import.meta.url));
/** Two files, and one that was written anew. */
const ROWS = 600;
/** Far more questions than an export asks. */
const MOST_QUESTIONS = 300;

/** What is written down, held against the files: every clip in one of them at the most. */
async function look(folder: string): Promise<{ clips: string[]; isWhole: boolean }> {
  const db = await openDatabase(join(folder, 'quarry.db'));
  const shards = (await new ClipShardStore(db).all()).filter(({ replaced_at }) => replaced_at === null);
  const clips: string[] = [];
  for (const { kind, ulid, rows } of shards) {
    const records = (await Array.fromAsync(parquetRecords(join(folder, 'data-set', shardName(kind, ulid))))).flat();
    expect(records).toHaveLength(rows);
    clips.push(...records.map(({ uuid }) => String(uuid).replaceAll('-', '')));
  }
  expect(new Set(clips).size).toBe(clips.length); // nothing is doubled
  const known = await db.selectFrom('clip_shard_rows').select('clip').orderBy('clip').execute();
  expect(known.map(({ clip }) => clip)).toEqual(clips.toSorted());
  await db.destroy();
  return { clips, isWhole: clips.length === ROWS };
}

const files = async (folder: string) =>
  (await readdir(join(folder, 'data-set'), { recursive: true })).filter((name) => /parquet/.test(name));

// Windows has no SIGKILL that a process can send itself.
describe.skipIf(process.platform === 'win32')('an export that is killed', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-data-set-kill-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('loses nothing and doubles nothing, whichever question to the database it dies before', async () => {
    let killed = 0;
    for (let number = 8; number < MOST_QUESTIONS; number += 3) {
      const [code, signal] = await once(startChild(CHILD, ['questions', `${number}`, folder, `${ROWS}`]), 'exit');
      if (signal !== 'SIGKILL') expect(code).toBe(0);
      else killed++;
      const { clips, isWhole } = await look(folder);
      if (signal === 'SIGKILL') continue;
      expect(isWhole).toBe(true);
      expect(clips.toSorted()).toEqual(Array.from({ length: ROWS }, (_, at) => madeVideo(at).clip).toSorted());
      expect(await files(folder)).toHaveLength(2); // and nothing of those that were killed
      expect(killed).toBeGreaterThan(5);
      return;
    }
    throw new Error('the child never got to its end');
  });

  it('nor whatever moment it is', async () => {
    const own = await mkdtemp(join(tmpdir(), 'quarry-data-set-kill-'));
    let killed = 0;
    for (let ms = 50; ; ms += 60) {
      const [code, signal] = await once(startChild(CHILD, ['time', `${ms}`, own, `${ROWS}`]), 'exit');
      if (signal === 'SIGKILL') {
        killed++;
        await look(own);
        continue;
      }
      expect(code).toBe(0);
      expect((await look(own)).isWhole).toBe(true);
      expect(await files(own)).toHaveLength(2);
      break;
    }
    expect(killed).toBeGreaterThan(2);
    await rm(own, { recursive: true, force: true });
  });
});
