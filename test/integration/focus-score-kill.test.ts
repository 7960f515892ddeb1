import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verify } from '../../src-main/mesh/transport/identity.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { FocusRecordingStore } from '../../src-main/store/focus/focus-recordings.ts';
import { FocusScoreStore } from '../../src-main/store/focus/focus-scores.ts';
import { readScore } from '../../src-main/subnets/omega/focus/signed-score.ts';
import type { Verdict } from '../../src-preload/contract/focus-score.ts';
import { startChild } from '../support/killed-child.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = fileURLToPath(new URL('../support/focus-score-child.ts', import.meta.url));
const ID = '6f1c1f5e-0000-4000-8000-000000000001';
const KILLS = 8 * ROUNDS;

interface Report {
  before?: string;
  opened?: Verdict[];
  begun?: true;
  kept?: string;
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-focus-score-kill-'));
  const db = await openDatabase(join(dir, 'quarry.db'));
  const recordings = new FocusRecordingStore(db);
  const about = { title: 'Work', description: '', surface: 'tab', width: 64, height: 64 } as const;
  await recordings.begin(
    ID,
    { ...about, sound: { microphone: false, system: false } },
    { startedAt: 5, signer: '0'.repeat(64) },
  );
  await recordings.end(ID, 'finished', 9);
  await db.destroy();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Lets a node score until it is killed, some milliseconds after it has begun once more. @returns what it said */
async function scoreUntilKilled(begun: number, afterMs: number): Promise<Report[]> {
  const child = startChild(CHILD, [join(dir, 'quarry.db'), ID]);
  const said: Report[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    said.push(JSON.parse(line));
    if (said.filter((one) => one.begun).length === begun) setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  return said;
}

it(`a node that is killed ${KILLS} times while it scores leaves a score as a whole, or a draft that says why`, async () => {
  let amid = 0;
  // Where a kill hits is chance: if never amid it, there are more.
  for (let kill = 0; kill < KILLS || (amid === 0 && kill < 4 * KILLS); kill++) {
    const [{ before } = {}, { opened: [verdict] = [] } = {}] = await scoreUntilKilled(1 + (kill % 3), kill * 3);
    if (before === 'scoring') {
      amid++;
      expect(verdict).toMatchObject({ state: 'draft', score: null, text: 'Quarry ended while it was being scored.' });
    } else expect([before, verdict?.state]).toEqual([before, before]);
    await checkKept();
  }
  expect(amid).toBeGreaterThan(0); // or no kill came amid it
});

/** What is there after a kill is of one scoring. */
async function checkKept(): Promise<void> {
  const db = await openDatabase(join(dir, 'quarry.db'));
  const state = (await new FocusRecordingStore(db).get(ID))?.state;
  const store = new FocusScoreStore(db);
  const [verdict] = await store.verdicts([ID]);
  const scores = await store.scores(ID);
  if (state === 'ready') {
    expect([verdict?.score, scores.map(({ scorer }) => scorer)]).toEqual([0.57, ['model', 'rules']]);
    const { payload, signature } = verdict ?? {};
    expect(readScore({ payload: payload ?? '', signature: signature ?? '' }, verify)).toMatchObject({ score: 0.57 });
  } else expect(['draft', 'scoring']).toContain(state);
  await db.destroy();
}
