/** @module-tag long */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { GpuTrainers } from '../../src-main/app/learning/gpu-trainers.ts';
import { ignoring } from '../../src-main/base/swallowed.ts';
import { utilitySpawner } from '../../src-main/desktop/child/utility-spawner.ts';
import { readModelHeader } from '../../src-main/gguf/model-file.ts';
import { baseShape } from '../../src-main/learning/formats/base-shape.ts';
import { JaxTrainer } from '../../src-main/learning/training/jax-trainer.ts';
import { checkGpu } from '../../src-main/learning/training/page/gpu-check.ts';
import { loadAdapter } from '../../src-main/learning/training/saved-adapter.ts';
import type { StepFigures, Trainer } from '../../src-main/learning/training/trainer.ts';
import { sentence } from '../../src-preload/contract/saying.ts';
import { furthest } from '../support/adapter-distance.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { buildTrainerPage, SOFTWARE_WEBGPU } from '../support/learning/page-in-chromium.ts';
import { closeStage, stage, windows } from '../support/learning/trainer-electron.ts';
import { settingsOf, type TrainingFixture, trainingFixture } from '../support/training-fixture.ts';

vi.mock('electron', () => import('../support/learning/trainer-electron.ts'));

const chromium = findChromium();
const STEPS = 2;
const MOST_APART = 1e-4;
const log = pino({ level: 'silent' });

/** The trainer's process as Electron starts it, with its bundled page in a real Chromium on WebGPU without a GPU: right, and slow. */
describe.skipIf(!chromium)('the trainer on the GPU', () => {
  let folder: string;
  let fixture: TrainingFixture;
  /** It checks the GPU once: with the first trainer that it makes. */
  const trainers = new GpuTrainers({ spawner: utilitySpawner, pages: { acceptsSoftware: true }, log });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-gpu-'));
    stage.folder = await buildTrainerPage(folder);
    stage.browser = await launchChromium(chromium ?? '', SOFTWARE_WEBGPU);
    fixture = await trainingFixture('llama');
  });
  afterEach(() => {
    expect(windows.every((window) => window.isDestroyed())).toBe(true);
  });
  afterAll(async () => {
    await closeStage();
    await rm(folder, { recursive: true, force: true });
  });

  const model = (from?: string) => ({
    modelPath: fixture.modelPath,
    settings: settingsOf(fixture, 'sdpo'),
    ...(from && { from }),
  });

  /** Some steps, what they say, and what is saved of them. */
  async function learnt(trainer: Trainer, name: string) {
    const figures: StepFigures[] = [];
    await trainer.open(model());
    for (let step = 0; step < STEPS; step++) figures.push(await trainer.step(fixture.samples));
    const scores = await trainer.score(fixture.samples[0] as (typeof fixture.samples)[number]);
    await trainer.save(join(folder, name));
    await trainer.close();
    const saved = await loadAdapter(join(folder, name), baseShape(await readModelHeader(fixture.modelPath)));
    return { figures, scores, ...saved };
  }

  it('learns what the processor learns, and goes on from what was saved on either', {
    tags: ['long', 'seldom'],
  }, async () => {
    const found = await learnt(new JaxTrainer({ spawner: utilitySpawner, onPage: true }), 'gpu');
    const expected = await learnt(new JaxTrainer(), 'processor');
    expect(found.state.steps).toBe(STEPS);
    expect(furthest(found.adapter, expected.adapter)).toBeLessThan(MOST_APART);
    expect(furthest(found.state.means, expected.state.means)).toBeLessThan(MOST_APART);
    for (const [step, { loss, gradNorm, tokens }] of expected.figures.entries()) {
      expect((found.figures[step]?.loss ?? 0) / loss).toBeCloseTo(1, 4);
      expect((found.figures[step]?.gradNorm ?? 0) / gradNorm).toBeCloseTo(1, 4);
      expect(found.figures[step]?.tokens).toBe(tokens);
    }
    for (const [place, score] of expected.scores.entries()) expect(found.scores[place]).toBeCloseTo(score, 4);

    const onwards = async (trainer: Trainer, from: string) => {
      await trainer.open(model(join(folder, from)));
      const { loss } = await trainer.step(fixture.samples);
      await trainer.close();
      return loss;
    };
    const loss = await onwards(new JaxTrainer(), 'gpu');
    const onGpu = await onwards(new JaxTrainer({ spawner: utilitySpawner, onPage: true }), 'processor');
    expect(onGpu / loss).toBeCloseTo(1, 4);
  });

  it('is told from a GPU that computes on the processor, and used where that is wanted', async () => {
    const signal = AbortSignal.timeout(170_000);
    const check = { spawner: utilitySpawner, signal };
    const refused = await checkGpu({ ...check, acceptsSoftware: false });
    expect('why' in refused && sentence(refused.why)).toMatch(
      /^WebGPU computes on the processor here \(.*swiftshader\)\.$/,
    );
    const trainer = await trainers.create(2e9);
    expect(sentence(trainer.computes ?? '')).toMatch(/^Computed by the GPU google swiftshader\.$/);
  });

  it('tells of a page that is gone, and leaves it to the processor from then on', async () => {
    const trainer = await trainers.create(2e9);
    await trainer.open(model());
    const step = trainer.step(fixture.samples);
    step.catch(ignoring('it is waited for below'));
    windows.at(-1)?.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    await expect(step).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
    await trainer.close();
    const next = await trainers.create(2e9);
    expect(sentence(next.computes ?? '')).toMatch(/^Computed by the processor\. .*failed: crashed/);
    await next.open(model());
    expect((await next.step(fixture.samples)).tokens).toBe(14);
    await next.close();
  });

  it('has a page that loads nothing but its own scripts, has no Node, and reaches nothing', async () => {
    const trainer = new JaxTrainer({ spawner: utilitySpawner, onPage: true });
    await trainer.open(model());
    const { page, strays, errors } = windows.at(-1)?.opened ?? {};
    expect(await page?.evaluate('typeof require + typeof process + typeof module')).toBe('undefinedundefinedundefined');
    const reached = await page?.evaluate(`(async () => {
      await new Promise((resolve) => setTimeout(resolve)); // what DevTools evaluate themselves may make code of text
      const tried = [
        () => fetch('https://example.org/'),
        () => fetch(location.origin + '/trainer.html'),
        () => new Promise((resolve, reject) => { const socket = new WebSocket('wss://example.org'); socket.onopen = resolve; socket.onerror = reject; }),
        () => new Promise((resolve, reject) => { const image = new Image(); image.onload = resolve; image.onerror = reject; image.src = 'https://example.org/a.png'; }),
        () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])),
        async () => new Function('return 1')(),
      ];
      const outcomes = await Promise.allSettled(tried.map((attempt) => attempt()));
      return outcomes.map(({ status }) => status);
    })()`);
    expect(reached).toEqual(Array(6).fill('rejected'));
    expect(strays).toEqual([]);
    expect(errors?.length).toBeGreaterThan(0); // the policy says so
    await trainer.close();
  });
});

/** A browser without WebGPU, as on a computer without a GPU that can do it. */
describe.skipIf(!chromium)('where there is no WebGPU', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-no-gpu-'));
    stage.folder = await buildTrainerPage(folder);
    stage.browser = await launchChromium(chromium ?? '', ['--disable-features=WebGPU,WebGPUService']);
  });
  afterAll(async () => {
    await closeStage();
    await rm(folder, { recursive: true, force: true });
  });

  it('the processor computes, and the run says why', async () => {
    const trainers = new GpuTrainers({ spawner: utilitySpawner, pages: { acceptsSoftware: true }, log });
    const trainer = await trainers.create(2e9);
    expect(sentence(trainer.computes ?? '')).toBe(
      'Computed by the processor. This app has no GPU that WebGPU can use.',
    );
    const fixture = await trainingFixture('llama');
    await trainer.open({ modelPath: fixture.modelPath, settings: settingsOf(fixture, 'distillation') });
    expect((await trainer.step(fixture.samples)).tokens).toBe(14);
    await trainer.close();
  });
});
