import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src-main/store/database.ts';
import { CompletionStore } from '../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../src-main/store/learning/learning-feedback.ts';
import { startChild } from '../support/killed-child.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = fileURLToPath(new URL('../support/kept-answers-child.ts', import.meta.url));
const KILLS = 4 * ROUNDS;
const LONGEST_LIFE_MS = 800;

interface Report {
  /** Id of an answer that is over. */
  answer?: string;
  /** Number of feedback that was given, and the id of its answer. */
  feedback?: number;
  of?: string;
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-answers-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Lets a child answer until it is killed, `afterMs` after its first report. @returns its reports, in order */
async function answerUntilKilled(path: string, name: string, afterMs: number): Promise<Report[]> {
  const child = startChild(CHILD, [path, name]);
  const reports: Report[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (reports.length === 0) setTimeout(() => child.kill('SIGKILL'), afterMs);
    reports.push(JSON.parse(line) as Report);
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  if (process.platform !== 'win32') expect(child.signalCode).toBe('SIGKILL');
  return reports;
}

it(`a process killed ${KILLS} times loses no answer that it said is over, and no feedback`, async () => {
  const path = join(dir, 'answers.db');
  const given: Report[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const reports = await answerUntilKilled(path, `life${kill}`, (kill / KILLS) * LONGEST_LIFE_MS);
    given.push(...reports.filter(({ feedback }) => feedback !== undefined));
    const db = await openDatabase(path);
    const [answers, feedback] = [new CompletionStore(db), new FeedbackStore(db)];
    // The newest: older ones have made room for them.
    const over = reports.flatMap(({ answer }) => answer ?? []).slice(-30);
    for (const id of over) expect(await answers.find(id)).toMatchObject({ id, text: `Answer ${id}` });
    for (const { feedback: id = 0, of } of given)
      expect(await feedback.find(id)).toMatchObject({ completion: of, text: of, state: 'waiting' });
    await db.destroy();
  }
  expect(given.length).toBeGreaterThan(KILLS);
});
