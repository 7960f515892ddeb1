import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ignoring } from '../../src-main/base/swallowed.ts';
import { readModelHeader } from '../../src-main/gguf/model-file.ts';
import { baseShape } from '../../src-main/learning/formats/base-shape.ts';
import { readAdapterGguf } from '../../src-main/learning/formats/gguf-adapter.ts';
import type { LoraAdapter } from '../../src-main/learning/formats/lora-adapter.ts';
import { JaxTrainer } from '../../src-main/learning/training/jax-trainer.ts';
import { loadAdapter, weakenAdapter } from '../../src-main/learning/training/saved-adapter.ts';
import type { TrainerModel, TrainingSample } from '../../src-main/learning/training/trainer.ts';
import { isRunning } from '../support/engine.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { settingsOf, type TrainingFixture, trainingFixture } from '../support/training-fixture.ts';
import { until } from '../support/until.ts';

let trainer: JaxTrainer;
let fixture: TrainingFixture;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  trainer = new JaxTrainer();
  fixture = await trainingFixture('llama');
  folder = await temporaryFolder();
});

afterEach(async () => {
  await trainer.close();
  await folder.remove();
});

const model = (more: Partial<TrainerModel> = {}): TrainerModel => ({
  modelPath: fixture.modelPath,
  settings: settingsOf(fixture, 'distillation'),
  ...more,
});

describe('a trainer in a process of its own', () => {
  it('learns, and goes on from what it has saved as if it had never stopped', async () => {
    await trainer.open(model());
    const losses: number[] = [];
    for (let step = 0; step < 4; step++) losses.push((await trainer.step(fixture.samples)).loss);
    expect(losses[3]).toBeLessThan(losses[0] ?? 0);
    await trainer.close();

    await trainer.open(model());
    for (let step = 0; step < 2; step++) await trainer.step(fixture.samples);
    await trainer.save(join(folder.path, 'saved'));
    await trainer.close();
    await trainer.open(model({ from: join(folder.path, 'saved') }));
    expect((await trainer.step(fixture.samples)).loss).toBe(losses[2]);
    expect((await trainer.step(fixture.samples)).loss).toBe(losses[3]);
  });

  it('saves what others read: the same adapter for llama.cpp and for PEFT', async () => {
    await trainer.open(model());
    await trainer.step(fixture.samples);
    const saved = join(folder.path, 'saved');
    await trainer.save(saved);
    const base = baseShape(await readModelHeader(fixture.modelPath));
    const { adapter, state } = await loadAdapter(saved, base);
    expect(await readAdapterGguf(join(saved, 'adapter.gguf'), base)).toEqual(adapter);
    expect(state.steps).toBe(1);
    expect((await readdir(saved)).sort()).toEqual([
      'adapter.gguf',
      'adapter_config.json',
      'adapter_model.safetensors',
      'optimizer.safetensors',
    ]);
    await expect(trainer.save(saved)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('takes a step with a share of its rate', async () => {
    const adapters: LoraAdapter[] = [];
    const base = baseShape(await readModelHeader(fixture.modelPath));
    const settings = settingsOf(fixture, 'distillation');
    for (const [learningRate, rate] of [
      [settings.learningRate, 0.5],
      [settings.learningRate / 2, 1],
    ] as const) {
      await trainer.open(model({ settings: { ...settings, learningRate } }));
      await trainer.step(fixture.samples, { rate });
      await trainer.save(join(folder.path, `at ${rate}`));
      await trainer.close();
      adapters.push((await loadAdapter(join(folder.path, `at ${rate}`), base)).adapter);
    }
    expect(adapters[0]).toEqual(adapters[1]);
  });

  it('goes on from a weaker form of it, which is whole or not there', async () => {
    await trainer.open(model());
    for (let step = 0; step < 2; step++) await trainer.step(fixture.samples);
    const [saved, weaker] = [join(folder.path, 'saved'), join(folder.path, 'weaker')];
    await trainer.save(saved);
    await trainer.close();
    const base = baseShape(await readModelHeader(fixture.modelPath));
    await weakenAdapter(saved, weaker, { strength: 0.5, base, model: 'model' });
    const [whole, half] = [await loadAdapter(saved, base), await loadAdapter(weaker, base)];
    expect([half.adapter.alpha, half.adapter.rank]).toEqual([whole.adapter.alpha, whole.adapter.rank]);
    for (const [name, { a, b }] of whole.adapter.matrices) {
      expect(half.adapter.matrices.get(name)?.a).toEqual(a);
      expect(half.adapter.matrices.get(name)?.b).toEqual(b.map((value) => value / 2));
    }
    expect(half.state.means.matrices).toEqual(whole.state.means.matrices);
    expect(await readAdapterGguf(join(weaker, 'adapter.gguf'), base)).toEqual(half.adapter);
    const scores: number[] = [];
    for (const from of [undefined, weaker, saved]) {
      await trainer.open(model(from === undefined ? {} : { from }));
      scores.push(...(await trainer.score(fixture.samples[0] as TrainingSample)).slice(0, 1));
      await trainer.close();
    }
    expect(scores[1]).toBeGreaterThan(Math.min(scores[0] as number, scores[2] as number));
    expect(scores[1]).toBeLessThan(Math.max(scores[0] as number, scores[2] as number));
    await expect(weakenAdapter(saved, weaker, { strength: 0.5, base, model: 'model' })).rejects.toThrow();
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('changes only the last layers where that is wanted, and leaves the others of an adapter as they are', async () => {
    await trainer.open(model());
    for (let step = 0; step < 2; step++) await trainer.step(fixture.samples);
    await trainer.save(join(folder.path, 'whole'));
    await trainer.close();
    await trainer.open(
      model({ from: join(folder.path, 'whole'), settings: { ...settingsOf(fixture, 'distillation'), lastLayers: 1 } }),
    );
    await trainer.step(fixture.samples);
    await trainer.save(join(folder.path, 'last'));
    const base = baseShape(await readModelHeader(fixture.modelPath));
    const [whole, last] = await Promise.all(
      ['whole', 'last'].map((name) => loadAdapter(join(folder.path, name), base)),
    );
    for (const [name, { b }] of whole?.adapter.matrices ?? []) {
      const same = last?.adapter.matrices.get(name)?.b.every((value, at) => value === b[at]);
      expect(same, name).toBe(name.startsWith('0.'));
    }
  });

  it('ends with its process where it is cancelled, and can be opened again', async () => {
    await trainer.open(model());
    const { pid } = trainer;
    const cancel = new AbortController();
    const step = trainer.step(fixture.samples, { signal: cancel.signal });
    cancel.abort(new Error('enough'));
    await expect(step).rejects.toThrow('enough');
    expect(pid !== undefined && isRunning(pid)).toBe(false);
    await expect(trainer.step(fixture.samples)).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    await trainer.open(model());
    expect((await trainer.step(fixture.samples)).tokens).toBe(14);
  });

  it('tells of a process that was killed, and leaves no half of what it was saving', async () => {
    await trainer.open(model());
    await trainer.step(fixture.samples);
    const save = trainer.save(join(folder.path, 'saved'));
    save.catch(ignoring('it is waited for below'));
    await until(async () => expect(await readdir(folder.path)).toHaveLength(1)); // it has begun
    process.kill(trainer.pid as number, 'SIGKILL');
    await save.catch((error) =>
      expect(error).toMatchObject({ code: 'INTERNAL', message: expect.stringMatching(/SIGKILL/), retryable: true }),
    );
    expect(await readdir(folder.path)).toEqual(existsSync(join(folder.path, 'saved')) ? ['saved'] : []);
  });

  it('is left at once where it saves and that is not wanted any more', async () => {
    await trainer.open(model());
    const cancel = new AbortController();
    const save = trainer.save(join(folder.path, 'saved'), cancel.signal);
    save.catch(ignoring('it is waited for below'));
    await until(async () => expect(await readdir(folder.path)).toHaveLength(1)); // it has begun
    cancel.abort(new Error('enough'));
    await save.catch((error) => expect(error.message).toBe('enough'));
    expect(await readdir(folder.path)).toEqual(existsSync(join(folder.path, 'saved')) ? ['saved'] : []);
  });

  it('refuses samples that are not sound, and goes on', async () => {
    await trainer.open(model({ longest: 64, settings: settingsOf(fixture, 'sdpo') }));
    const [sample] = fixture.samples;
    if (!sample) throw new Error('The fixture has no samples.');
    const { old: _, ...unscored } = sample;
    const [first, ...places] = sample.teacher;
    const twice = { tokens: [1, 1], logprobs: [-1, -1] };
    for (const wrong of [
      unscored,
      { ...sample, teacher: places },
      { ...sample, teacher: [twice, ...places] },
      { ...sample, teacher: [{ tokens: first?.tokens ?? [], logprobs: [0.5] }, ...places] },
      { ...sample, prompt: [] },
      { ...sample, prompt: [56] },
      { ...sample, old: sample.response.map(() => Number.NaN) },
      { ...sample, prompt: new Array(60).fill(1) },
    ]) {
      await expect(trainer.step([wrong as typeof sample])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    expect((await trainer.step(fixture.samples)).isRatio).toBeGreaterThan(0);
  });

  it('says before it begins what it takes, and what would fit where that is too much', async () => {
    const { memory, secondsPerStep } = await trainer.open(model());
    expect(memory).toBeLessThan(2 * 2 ** 30);
    expect(secondsPerStep(2, 128)).toBeGreaterThan(secondsPerStep(1, 128));
    const small = new JaxTrainer({ memoryLimit: 262e6 });
    await expect(small.open(model({ longest: 4_096 }))).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
      hint: expect.stringMatching(/It would fit with: .*samples of at most \d+ tokens/),
    });
    await expect(small.open(model({ modelPath: join(folder.path, 'none.gguf') }))).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
    });
  });
});
