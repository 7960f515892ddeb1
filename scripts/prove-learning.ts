/**
 * Proves on the real SmolLM2-135M that learning from feedback works: for each preference and seed, a new data folder, a person who says what was wrong with
 * answers (12 times at the most), runs as a node does them, and what became of it on questions that nothing was learnt from; and that two poisoned
 * preferences are refused. A result is written for each preference and seed, which is not done again, and a table of all: results.json, results.md.
 * Usage: node scripts/prove-learning.ts --out DIR [--seeds 5] [--preferences concise,identity,no_emoji] [--no-poison] [--runs 3] [--threads 2]
 *   [--system TEXT]
 * With `--system ''` all is asked without a system prompt, as the playground does where nobody has set one; it wants a folder of its own.
 * Each run learns from four pieces of feedback, and takes some 5 minutes on two idle cores.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeAtomically } from '../src-main/base/atomic-file.ts';
import { PREFERENCES } from '../src-main/learning/evaluation/prompts/preference.ts';
import { findRealModel, SMOLLM2 } from '../test/support/real-models.ts';
import { type Lesson, lessonsOf } from './prove-learning/lessons.ts';
import { type Proof, prove } from './prove-learning/one-proof.ts';
import { reportOf } from './prove-learning/report.ts';

const FIRST_SEED = 42;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    seeds: { type: 'string', default: '5' },
    preferences: { type: 'string', default: PREFERENCES.map(({ name }) => name).join(',') },
    'no-poison': { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    threads: { type: 'string', default: '2' },
    system: { type: 'string' },
  },
});
if (values.out === undefined) throw new Error('Name a folder for the results: --out DIR');
const path = await findRealModel(SMOLLM2);
if (!path) process.exit(3);

const out = resolve(values.out);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('interrupted')));
await mkdir(out, { recursive: true });
try {
  await proveAll(path);
  console.log(await report());
} catch (error) {
  if (!stop.signal.aborted) throw error;
  console.error('Interrupted: the same command goes on.');
  process.exitCode = 130;
}

async function proveAll(modelPath: string): Promise<void> {
  const preferences = values.preferences.split(',').filter(Boolean);
  for (let seed = FIRST_SEED; seed < FIRST_SEED + Number(values.seeds); seed++) {
    const lessons = lessonsOf(preferences, seed, values.system).filter(({ poison }) => !poison || !values['no-poison']);
    for (const lesson of lessons) await proveOnce(lesson, seed, modelPath);
  }
}

async function proveOnce(lesson: Lesson, seed: number, modelPath: string): Promise<void> {
  const file = join(out, `${lesson.name}-${seed}.json`);
  if (existsSync(file)) return;
  console.error(`${new Date().toISOString()} ${lesson.name}, seed ${seed} …`);
  const model = { path: modelPath, sha256: SMOLLM2.sha256 };
  const options = { folder: join(out, `work-${process.pid}`), model, seed, threads: Number(values.threads) };
  const proof = await prove(lesson, { ...options, runs: Number(values.runs) }, stop.signal);
  await writeAtomically(file, `${JSON.stringify(proof, null, 2)}\n`);
  await report();
}

/** Of all that is in the folder. */
async function report(): Promise<string> {
  const names = (await readdir(out)).filter((name) => /-\d+\.json$/.test(name)).sort();
  const proofs = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(out, name), 'utf8')) as Proof),
  );
  const table = reportOf(proofs);
  await writeAtomically(join(out, 'results.json'), `${JSON.stringify(proofs, null, 2)}\n`);
  await writeAtomically(join(out, 'results.md'), table);
  return table;
}
