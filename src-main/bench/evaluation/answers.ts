import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { openDatabase } from '../../store/database.ts';
import { EvaluationStore } from '../../store/evaluations.ts';
import { type BenchEvent, benchRow } from '../row.ts';

const EVALUATION = '00112233445566ff';
/** Kinds of needles in five depths each, and lengths: cells are so many. */
const KINDS = 30;
const LENGTHS = 8;

/** Seconds in which an evaluation of so many answers is summed up by kind, length and depth, as the screens ask for it. */
export async function* benchAnswers({ folder, runs, answers }: { folder: string; runs: number; answers: number }) {
  const db = await openDatabase(join(folder, 'answers.db'));
  const ours: number[] = [];
  try {
    const store = new EvaluationStore(db);
    await sql`PRAGMA synchronous = OFF`.execute(db);
    await store.add({
      ...{ id: EVALUATION, created_at: 1, ended_at: null, state: 'paused', plan: '{}', model: null, sha256: null },
      ...{ texts: answers, done: answers, seconds: 0, error: null },
    });
    await sql`
      WITH RECURSIVE made (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM made WHERE n < ${answers - 1})
      INSERT INTO evaluation_answers SELECT ${EVALUATION}, n, 0, 'needle', 'kind ' || (n % ${KINDS}),
        1000 * (1 + n / ${KINDS} % ${LENGTHS}), 700, (n % 5) / 5.0 + (n * 7919 % 1000) / 5001.0,
        'What was asked for is ' || n || '.', NULL, (n % 3) / 2.0, 1000, 0, 10, 100.5, 200.5, 1700000000000 + n FROM made`.execute(
      db,
    );
    for (let run = 0; run < runs; run++) {
      const began = performance.now();
      const cells = await store.cells(EVALUATION);
      ours.push((performance.now() - began) / 1_000);
      const asked = cells.reduce((sum, cell) => sum + cell.asked, 0);
      if (asked !== answers) throw new Error(`Of ${answers} answers ${asked} were summed up.`);
    }
  } finally {
    await db.destroy();
  }
  const row = { bench: 'evaluate', case: `${answers.toLocaleString('en')} answers summed up`, unit: 's', goal: '< 1' };
  yield { type: 'row', row: benchRow({ ...row, ours }) } as BenchEvent;
}
