import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { installedPath } from '../../src-main/base/installation.ts';
import { LearningRun, type LearnPorts } from '../../src-main/learning/runs/learning-run.ts';
import type { Examiner } from '../../src-main/learning/runs/looks.ts';
import { RunFiles } from '../../src-main/learning/runs/run-files.ts';
import { DEFAULT_RUN, trainerSettings } from '../../src-main/learning/runs/run-settings.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { CompletionStore } from '../../src-main/store/learning/learning-completions.ts';
import type { RunRow } from '../../src-main/store/learning/learning-runs.ts';
import { completionRow } from '../support/kept-answers.ts';
import { ScriptedAsked } from '../support/learning/scripted-asked.ts';
import { TEST_MESH } from '../support/mesh-name.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

const TINY = installedPath('resources', 'tiny.gguf');
const RUN = { ...DEFAULT_RUN, prompts: 5, keep: 1, tries: 1, steps: 4 };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let testnet: Testnet;
let laptop: App;
let pc: App;

/** Two nodes of one owner as they are started at home; both have the built-in model. */
beforeAll(async () => {
  folder = await temporaryFolder();
  testnet = await openTestnet();
  [laptop, pc] = await Promise.all([open('Laptop', { QUARRY_LEARNING_TRAINER: 'paired' }), open('PC', {})]);
  const { code } = (await pc.fleet?.offer(false)) ?? { code: '' };
  await laptop.fleet?.join(code, false);
  await until(() => {
    for (const [one, other] of [
      [laptop, pc],
      [pc, laptop],
    ] as const) {
      one.fleet?.call(other.identity.id, 'nothing').close();
    }
  });
});

afterAll(async () => {
  await laptop?.[Symbol.asyncDispose]();
  await pc?.[Symbol.asyncDispose]();
  await testnet?.close();
  await folder?.remove();
});

function open(name: string, env: Record<string, string>): Promise<App> {
  const bootstrap = testnet.bootstrap.map(({ host, port }) => `${host}:${port}`);
  const flags = { dataDir: join(folder.path, name), bootstrap, role: 'client', port: 0, 'mesh.name': TEST_MESH.name };
  const idle = {
    QUARRY_POLICY_ON_BATTERY: 'off',
    QUARRY_POLICY_USER_ACTIVE: 'off',
    QUARRY_POLICY_HEAT: 'off',
    QUARRY_POLICY_OTHER_GPU: 'off',
  };
  const config = loadConfig({ flags, env: { QUARRY_NODE_NAME: name, QUARRY_THREADS: '1', ...idle, ...env } });
  return createApp(config, { mesh: true, fleet: true, server: true });
}

const set = (app: App, changes: Record<string, unknown>) =>
  createRouterClient(app.contract, { context: { confidential: true } }).settings.set({ changes });

const row = (id: string) => ({ id, name: id, settings: JSON.stringify(RUN), seconds: 0, step: 0 }) as RunRow;

/** After any step it is better: what the model says is of no interest here. */
const examiner: Examiner<number> = {
  examine: async (adapter) => (adapter === undefined ? 0 : 1),
  quickOf: (full) => full,
  shown: (measured) => ({ measured }),
  schema: z.number(),
  judge: (before, after) => ({ accepted: after > before, gained: after > before, share: after, reasons: [] }),
};

/** What is kept of the steps, as JSON. */
const kept: string[] = [];

/** A run on the laptop, to its end, with its own trainers and versions. @returns files of the version that came of it */
async function learn(id: string): Promise<Buffer[]> {
  const { learning, learningRuns } = laptop;
  const { versions } = learning.versions;
  const base = await learning.versions.base('personal', 'tiny');
  const ports: LearnPorts<number> = {
    store: {
      set: async () => undefined,
      addStep: async (_, __, figures) => void kept.push(JSON.stringify(figures)),
      end: async () => true,
    },
    files: new RunFiles(join(folder.path, `run ${id}`)),
    asked: new ScriptedAsked((last) => `Ok ${last.length}`),
    createTrainer: async (model) => {
      if (!learningRuns) throw new Error('a node without an engine');
      return await learningRuns.trainers.create(model);
    },
    examiner,
    lesson: {
      prompts: ['a', 'bb', 'ccc', 'dddd', 'eeeee'].map((content) => ({ messages: [{ role: 'user', content }] })),
      anchors: [],
      hints: [{ kind: 'say', text: 'Be shorter.' }],
      saysNew: false,
      complies: async () => true,
    },
    modelPath: TINY,
    weaken: () => Promise.reject(new Error('nothing is lost')),
    parent: undefined,
    async accept(from) {
      await versions.intake.take(from, { name: id, base, parent: null, feedback: [], metrics: {}, run: id, use: true });
    },
    rest: async () => undefined,
    signal: new AbortController().signal,
  };
  await new LearningRun(row(id), ports).work();
  const { version } = await versions.resolve(id, base.sha256);
  const { folder: at } = await versions.folder(version?.id ?? '');
  return await Promise.all(['adapter.gguf', 'adapter_model.safetensors'].map((name) => readFile(join(at, name))));
}

it('a run on one node is trained on another of its owner, and brings the very version that it would have made itself', async () => {
  const hosted = () => pc.learningRuns?.trainers.hosted();
  expect(hosted()).toEqual({ node: undefined, begun: 0 });
  const there = await learn('there');
  expect(kept.some((figures) => figures.includes('"training.byNode","params":{"name":"PC"}'))).toBe(true);
  await until(() => expect(hosted()).toEqual({ node: undefined, begun: 1 }));
  await set(laptop, { 'learning.trainer': 'here' });
  const here = await learn('here');
  expect(hosted()).toEqual({ node: undefined, begun: 1 });
  expect(there.map((bytes) => bytes.length)).toEqual(here.map((bytes) => bytes.length));
  expect(there[1]?.equals(here[1] as Buffer), 'the very matrices').toBe(true);
  expect(there[0]?.equals(here[0] as Buffer), 'the very file for llama.cpp').toBe(true);
  const log = await readFile(join(folder.path, 'PC', 'quarry.log'), 'utf8');
  expect(log).toContain('another node of this owner trains here');
  expect(log).not.toMatch(/Be shorter|HINDSIGHT|eeeee|"(prompt|response|samples|teacher)"/);
});

it('waits, and says why, where the other node does not train for others; what is set there counts at once', async () => {
  await set(laptop, { 'learning.trainer': 'paired' });
  const model = { modelPath: TINY, settings: trainerSettings(RUN, { saysNew: false }) };
  const check = async () => await laptop.learningRuns?.trainers.check(model);
  await check();
  await set(pc, { 'learning.trainForOthers': false });
  await expect(check()).rejects.toThrow('PC does not train for other nodes.');
  await set(pc, { 'learning.trainForOthers': true });
  await check();
});

it('leaves feedback waiting, in words, while no other node is there: no model is loaded for that', async () => {
  await set(laptop, { 'learning.trainer': 'paired' });
  await pc[Symbol.asyncDispose]();
  await until(() => expect(laptop.fleet?.others().map(({ online }) => online)).toEqual([false]));
  await new CompletionStore(laptop.db).put(completionRow({ at: Date.now() }));
  const client = createRouterClient(laptop.contract, { context: { confidential: true } });
  await client.learning.give({ answer: 'chatcmpl-1', kind: 'say', text: 'Be shorter.' });
  await client.learning.start();
  const end = new AbortController();
  for await (const { state, why, run } of await client.learning.follow(undefined, { signal: end.signal })) {
    if (why.length === 0) continue;
    expect([state, run?.state, why[0]?.text]).toEqual([
      'waiting',
      'queued',
      expect.stringContaining('none is connected'),
    ]);
    break;
  }
  end.abort();
  expect(laptop.engine?.slot.current).toBeUndefined();
  await set(laptop, { 'learning.trainer': 'torch' });
  await client.learning.start();
  await until(async () => {
    expect((await laptop.learningRuns?.now())?.why[0]?.text).toContain('PyTorch');
  });
  await client.learning.cancel();
});
