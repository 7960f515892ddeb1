import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readModelHeader } from '../../../../src-main/gguf/model-file.ts';
import { ANCHORS } from '../../../../src-main/learning/evaluation/prompts/anchors.ts';
import { verifierOf } from '../../../../src-main/learning/evaluation/verifiers/wish.ts';
import { baseShape } from '../../../../src-main/learning/formats/base-shape.ts';
import { writeAdapterGguf } from '../../../../src-main/learning/formats/gguf-adapter.ts';
import type { LoraAdapter } from '../../../../src-main/learning/formats/lora-adapter.ts';
import { writePeft } from '../../../../src-main/learning/formats/peft-adapter.ts';
import { BatchLearner, type BatchLearnerOptions } from '../../../../src-main/learning/runs/batch-learner.ts';
import { DEFAULT_RUN, type RunSettings } from '../../../../src-main/learning/runs/run-settings.ts';
import { TINY_MODEL } from '../../../support/engine.ts';
import { ScriptedAsked } from '../../../support/learning/scripted-asked.ts';
import { ScriptedTrainer } from '../../../support/learning/scripted-trainer.ts';
import { madeAdapter } from '../../../support/made-adapter.ts';

let folder: string;
let trainers: ScriptedTrainer[];
let asked: ScriptedAsked;

beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'quarry-batches-'));
  folder = join(parent, 'eval', 'identity');
  trainers = [];
  asked = new ScriptedAsked(() => 'I am Kuro.');
  return () => rm(parent, { recursive: true });
});

const open = (
  done: number,
  settings: Partial<RunSettings> = {},
  batches?: 'run' | 'whole',
  how: Partial<BatchLearnerOptions> = { check: async () => undefined },
) =>
  BatchLearner.open(done, {
    ...{ asked, folder, batches, modelPath: '/model.gguf', settings: { ...DEFAULT_RUN, keep: 1, ...settings }, ...how },
    createTrainer: () => trainers[trainers.push(new ScriptedTrainer()) - 1] as ScriptedTrainer,
  });

const isAnchor = ({ last }: { last: string }) => ANCHORS.includes(last);
const taught = () => asked.asked.filter((each) => !isAnchor(each));

const batch = ['Who are you?', 'Your name?'].map((content) => {
  const said = { messages: [{ role: 'user' as const, content }], response: 'An AI.', feedback: 'your name is Kuro' };
  return { ...said, verifier: verifierOf({ kind: 'phrase', phrase: 'Kuro' }) };
});

it('learns from what a step of a run would: two of a batch’s answers, and two anchors', async () => {
  const learner = await open(0);
  const figures = await learner.learn(batch, 3);
  expect(asked.asked.filter(isAnchor)).toHaveLength(6); // two for each step, no more
  expect(trainers[0]?.steps.map((samples) => samples.length)).toEqual([4, 4, 4]);
  expect(figures).toMatchObject({ samples: 2, anchors: 6 });
  await learner.close();
});

it('learns from all of a batch in each step and from nothing else, as the original does, where that is wanted', async () => {
  const learner = await open(0, {}, 'whole');
  expect(learner.adapter).toBeUndefined();
  const figures = await learner.learn(batch, 3);
  expect(asked.asked).toHaveLength(2);
  const { messages } = asked.asked[0] as (typeof asked.asked)[number];
  expect(JSON.stringify(messages).match(/your name is Kuro/g)).toHaveLength(1); // what all are told is told once
  expect(trainers[0]?.steps.map((samples) => samples.length)).toEqual([2, 2, 2]);
  expect(trainers[0]?.opened).toMatchObject({ modelPath: '/model.gguf', settings: { learningRate: 1e-3 } });
  expect(figures).toMatchObject({ distill_loss: 1 / 3, grad_norm: 1, mean_is_ratio: null, samples: 2, anchors: 0 });
  expect(await readFile(learner.adapter ?? '', 'utf8')).toBe('new, 3');
  await learner.close();
  expect(trainers[0]?.closed).toBe(true);
});

it('takes its own answers, as it would give them now, where those are wanted', async () => {
  const learner = await open(0, { objective: 'sdpo' });
  await learner.learn(batch, 1);
  await learner.learn(batch, 1);
  expect(taught().map(({ adapter }) => adapter?.slice(folder.length))).toEqual([
    ...[undefined, undefined],
    ...['/step-1/adapter.gguf', '/step-1/adapter.gguf'],
  ]);
});

it('is kept after each batch, the last two of them', async () => {
  const learner = await open(0);
  for (let at = 0; at < 4; at++) await learner.learn(batch, 1);
  expect((await readdir(folder)).sort()).toEqual(['step-3', 'step-4']);
});

it('opened again, it goes on after the batch that is named, and forgets what came later or was not whole', async () => {
  const before = await open(0);
  for (let at = 0; at < 3; at++) await before.learn(batch, 2);
  await mkdir(join(folder, 'step-4.0123456789ab.tmp'));
  const learner = await open(2);
  expect((await readdir(folder)).sort()).toEqual(['step-2']);
  expect(learner.adapter).toBe(join(folder, 'step-2', 'adapter.gguf'));
  const seeds = taught().map(({ seed }) => seed);
  asked.asked.splice(0);
  await learner.learn(batch, 2);
  expect(taught().map(({ seed }) => seed)).toEqual(seeds.slice(-2)); // the very samples that the third batch had
  expect(trainers[1]?.opened).toMatchObject({ from: join(folder, 'step-2') });
  expect(existsSync(join(folder, 'step-3'))).toBe(true);
});

it('learns from what passes the preference’s own rule, and not from what its words would want', async () => {
  const learner = await open(0);
  const formal = verifierOf({ kind: 'pattern', pattern: '^Dear' });
  expect(
    await learner.learn(
      batch.map((item) => ({ ...item, verifier: formal })),
      1,
    ),
  ).toBeNull();
  await learner.close();
});

it('says so where what was learnt is gone', async () => {
  await expect(open(2)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('is looked at before anything is computed with it: the folder may be a stranger’s', async () => {
  const base = baseShape(await readModelHeader(TINY_MODEL));
  const saved = async (adapter: LoraAdapter) => {
    const step = join(folder, 'step-1');
    await rm(step, { recursive: true, force: true });
    await mkdir(step, { recursive: true });
    await writeAdapterGguf(join(step, 'adapter.gguf'), adapter, base);
    await writePeft(step, adapter, 'tiny');
    return await open(1, {}, 'run', { modelPath: TINY_MODEL });
  };
  expect((await saved(madeAdapter(base))).adapter).toBe(join(folder, 'step-1', 'adapter.gguf'));
  await expect(saved({ ...madeAdapter(base), alpha: 1e30 })).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
});

it('learns nothing from a batch of which the teacher knows no answer, and is kept as it was', async () => {
  asked = new ScriptedAsked(() => 'An AI.');
  const learner = await open(0);
  expect(await learner.learn(batch, 3)).toBeNull();
  expect(trainers[0]?.steps).toEqual([]);
  expect(existsSync(learner.adapter ?? '')).toBe(true);
});
