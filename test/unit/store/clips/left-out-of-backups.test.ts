import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ClipJobStore } from '../../../../src-main/store/clips/clip-jobs.ts';
import { ClipStore, type NewClip } from '../../../../src-main/store/clips/clips.ts';
import { LEFT_OUT_OF_BACKUPS } from '../../../../src-main/store/database.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

it('leaves nothing of clips and their videos in a backup, and counts that as nothing', async () => {
  const db = await memoryDatabase();
  const [jobs, clips] = [new ClipJobStore(db), new ClipStore(db)];
  await jobs.add([
    {
      ...{ source: 'commons', video: 'v', title: 'a secret', topic: 'cats', found: '{}', is_ordered: 0, reason: null },
      ...{ tries: 0, due_at: 0, bytes: 7, url: null, spans: null, next_span: 0, clips: 0, created_at: 0 },
      ...{ changed_at: 0, state: 'failed' },
    },
  ]);
  const clip: NewClip = {
    ...{ clip: 'ab'.repeat(16), source: 'commons', video: 'v', title: 'a secret', topic: 'cats', from_s: 0, to_s: 9 },
    ...{ description: 'secret words', described_by: 'title', words: null, turns: null, has_sound: 0, licence: 'by' },
    ...{ licence_url: null, author: null, attribution: 'a', page: null, url: null, bytes: 1, poster_bytes: 1 },
    ...{ sha256: '0'.repeat(64), width: 2, height: 2, container: 'webm', space: 's', score: null, is_taken_down: 0 },
    created_at: 5,
  };
  await clips.add(clip, { vectors: { seen: Float32Array.of(1) }, job: 1, nextSpan: 1, place: async () => {} });
  expect([(await jobs.sums()).bytes, (await clips.sums()).rows]).toEqual([7, 1]);
  for (const table of LEFT_OUT_OF_BACKUPS) await sql.raw(`DELETE FROM ${table}`).execute(db);
  expect([(await jobs.sums()).bytes, (await clips.sums()).rows]).toEqual([0, 0]);
  expect(await clips.page({ match: 'secret' }, undefined, 9)).toEqual([]);
  expect(await clips.vectors(clip.clip, 's')).toEqual({});
  await db.destroy();
});
