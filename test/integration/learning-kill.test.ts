import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { sha256OfFile } from '../../src-main/base/sha256.ts';
import { ifMissing } from '../../src-main/base/swallowed.ts';
import { type Db, openDatabase } from '../../src-main/store/database.ts';
import { CompletionStore } from '../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../src-main/store/learning/learning-feedback.ts';
import type { FeedbackState } from '../../src-preload/contract/learning.ts';
import { completionRow, feedbackRow } from '../support/kept-answers.ts';
import { startChild } from '../support/killed-child.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = join(import.meta.dirname, '../support/learning/learning-child.ts');

const data = await mkdtemp(join(tmpdir(), 'quarry-learning-'));
afterAll(() => rm(data, { recursive: true, force: true, maxRetries: 3 }));
const [database, adapters, runs] = [join(data, 'quarry.db'), join(data, 'adapters'), join(data, 'learning')] as const;

/** In which a run is killed, and how long after it was begun at the most, in milliseconds. What is written at the end is where a kill could hurt. */
const MOMENTS = [
  ...[
    ['opened', 1_500],
    ['sampling', 300],
    ['training', 1_500],
    ['step', 400],
    ['saving', 80],
  ],
  ...[
    ['evaluating', 400],
    ['accepting', 160],
    ['accepting', 160],
    ['accepting', 160],
    ['accepting', 160],
  ],
] as [string, number][];
/** In half of them; 20 times with QUARRY_TEST_ROUNDS=4. Then on until each of these phases was hit, or nothing was tried. */
const KILLS = (MOMENTS.length / 2) * ROUNDS;
const PHASES = ['sampling', 'step', 'evaluating', 'accepting'];
/** What is said of answers: the second is learnt by no run. */
const SAID = ['Say «Alpha» in every answer.', 'Say «Never» in every answer.', 'Say «Alpha» each time.'];
const WISHES = [null, '{"maxGradNorm":2}'];

/** Runs the child until it has ended, or is killed a while after it has begun with `phase`. @returns the last of what it reported */
async function learn(phase?: string, mostMs = 0): Promise<string> {
  const child = startChild(CHILD, [data]);
  const exited = once(child, 'exit');
  let last = '';
  let killing: Promise<void> | undefined;
  const lines = createInterface(child.stdout).on('line', (line) => {
    last = JSON.parse(line).phase;
    if (last === phase) killing ??= sleep(Math.random() * mostMs).then(() => void child.kill('SIGKILL'));
  });
  await Promise.all([exited, once(lines, 'close')]);
  await killing;
  return last;
}

let given = 0;
/** Two that are learnt together, and one that is not: what it wants is another way. */
async function give(db: Db): Promise<void> {
  const [completions, feedback] = [new CompletionStore(db), new FeedbackStore(db)];
  for (let each = 0; each < 3; each++) {
    const id = `chatcmpl-${++given}`;
    const input = JSON.stringify({ messages: [{ role: 'user', content: `What is peer ${given}?` }] });
    await completions.put(completionRow({ id, input, text: 'A peer.', text_hash: `${given}`.padStart(64, '0') }));
    const text = SAID[Math.floor(given / 3) % SAID.length];
    const training = WISHES[each === 1 ? 1 : 0];
    await feedback.add([feedbackRow({ key: id, completion: id, name: 'personal', text, training })], 100);
  }
}

/** What holds at every moment, looked at as a kill has left it. @returns what there is */
async function look(db: Db) {
  const versions = await db.selectFrom('learning_versions').selectAll().execute();
  const states = await db.selectFrom('learning_runs').selectAll().execute();
  const feedback = await db.selectFrom('learning_feedback').selectAll().orderBy('id').execute();
  const [adapter] = await db.selectFrom('learning_adapters').selectAll().execute();
  expect(feedback).toHaveLength(given);
  for (const { id, gguf_sha256, peft_sha256, run, feedback: learnt } of versions) {
    expect(await sha256OfFile(join(adapters, id, 'adapter.gguf'))).toBe(gguf_sha256);
    expect(await sha256OfFile(join(adapters, id, 'adapter_model.safetensors'))).toBe(peft_sha256);
    // One version a run, which has ended with it, and all of its feedback is learnt.
    expect(versions.filter((other) => other.run === run)).toHaveLength(1);
    expect(states.find((other) => other.id === run)).toMatchObject({ state: 'accepted', version: id });
    const of = feedback.filter((each) => each.run === run);
    expect(of.map((each) => [each.id, each.state])).toEqual(JSON.parse(learnt).map((each: number) => [each, 'learnt']));
  }
  const inUse = versions.toSorted((one, other) => one.number - other.number).at(-1)?.id ?? null;
  expect(adapter?.latest ?? null).toBe(inUse);
  for (const { state, run, id } of feedback) {
    const of = states.find((other) => other.id === run);
    const runs: Partial<Record<FeedbackState, string | null>> = {
      taken: null,
      learnt: 'accepted',
      rejected: 'rolled-back',
    };
    const wanted = runs[state];
    expect(of && (of.ended_at === null ? null : of.state), `feedback ${id} is ${state}`).toBe(wanted);
  }
  expect(states.filter(({ state }) => state === 'accepted')).toHaveLength(versions.length);
  return {
    versions,
    states,
    feedback,
    rests: feedback.every(({ state }) => state === 'learnt' || state === 'rejected'),
  };
}

it(`a node that is killed ${KILLS} times or more while it learns loses no feedback, learns none twice, and serves what it served`, {
  timeout: 600_000 * ROUNDS,
}, async () => {
  const killedIn = new Map<string, number>();
  for (let kills = 0; kills < KILLS || PHASES.some((phase) => !killedIn.has(phase)); ) {
    const db = await openDatabase(database);
    if ((await look(db)).rests) await give(db);
    await db.destroy();
    const [phase, mostMs] = MOMENTS[kills % MOMENTS.length] as (typeof MOMENTS)[number];
    const last = await learn(phase, mostMs);
    expect(last).not.toBe('failed');
    if (last === 'ended') continue; // it came to its end first
    kills++;
    killedIn.set(last, (killedIn.get(last) ?? 0) + 1);
  }
  expect(await learn()).toBe('ended');
  const db = await openDatabase(database);
  const { states, versions, rests } = await look(db);
  await db.destroy();
  expect(rests).toBe(true);
  // Both ways, or nothing was tried.
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['accepted', 'rolled-back']));
  expect((await readdir(adapters)).sort()).toEqual(versions.map(({ id }) => id).sort());
  for (const { id } of versions) expect(await readdir(join(adapters, id))).not.toContain('.pending');
  expect(await readdir(runs).catch(ifMissing)).toEqual([]);
});
