import { expect, it, onTestFinished } from 'vitest';
import { ClipJobStore, type NewJob } from '../../../../src-main/store/clips/clip-jobs.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { turnsOf } from '../../../support/turns.ts';

const FAILED = 1_000;

const job = (at: number): NewJob => ({
  ...{ source: 'commons', video: `v${at}`, title: 'A', topic: 'a', found: '{}', is_ordered: 0, state: 'failed' },
  ...{ reason: '{}', tries: 5, due_at: 9, bytes: 0, url: null, spans: null, next_span: 0, clips: 0 },
  ...{ created_at: 1, changed_at: 1 },
});

it('all that has failed waits again, and others have their turns meanwhile', async () => {
  const db = await memoryDatabase();
  onTestFinished(() => db.destroy());
  const jobs = new ClipJobStore(db);
  await jobs.add(Array.from({ length: FAILED }, (_, at) => job(at)));
  const turns = await turnsOf(async () => expect(await jobs.retry(undefined, 5)).toBe(FAILED));
  expect(turns).toBeGreaterThan(1);
  expect((await jobs.sums()).rows).toMatchObject({ failed: 0, waiting: FAILED });
  expect(await jobs.get(FAILED)).toMatchObject({ tries: 0, reason: null, due_at: 0, changed_at: 5 });
  expect(await jobs.retry(undefined, 6)).toBe(0);
});
