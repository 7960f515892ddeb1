import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readModelHeader } from '../../src-main/gguf/model-file.ts';
import { baseShape } from '../../src-main/learning/formats/base-shape.ts';
import { readAdapterGguf } from '../../src-main/learning/formats/gguf-adapter.ts';
import { readPeft, writePeft } from '../../src-main/learning/formats/peft-adapter.ts';
import { readSafetensors } from '../../src-main/learning/formats/safetensors.ts';
import { newState } from '../../src-main/learning/training/adapter/adam-w.ts';
import { TorchTrainer } from '../../src-main/learning/training/torch/torch-trainer.ts';
import type { TrainerSettings, TrainingSample } from '../../src-main/learning/training/trainer.ts';
import { processUsage } from '../../src-main/process/child-limits.ts';
import { furthest } from '../support/adapter-distance.ts';
import { writeFlatModel } from '../support/flat-model.ts';
import { startChild } from '../support/killed-child.ts';
import { openTraining } from '../support/learning/open-training.ts';
import { findTorch } from '../support/torch-environment.ts';
import { settingsOf, trainingFixture } from '../support/training-fixture.ts';
import { until } from '../support/until.ts';

const python = await findTorch();
const CHILD = resolve(import.meta.dirname, '../support/torch-child.ts');

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-torch-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function trainerIn(folder: string): TorchTrainer {
  const trainer = new TorchTrainer({
    python: python ?? '',
    workFolder: join(folder, 'torch'),
    device: 'cpu',
    threads: 1,
  });
  onTestFinished(() => trainer.close());
  return trainer;
}

/** The adapter that a trainer has saved, by each of its two forms. */
async function saved(trainer: TorchTrainer, modelPath: string, folder: string) {
  await trainer.save(folder);
  const base = baseShape(await readModelHeader(modelPath));
  return { peft: await readPeft(folder, base), gguf: await readAdapterGguf(join(folder, 'adapter.gguf'), base) };
}

describe.skipIf(!python)('the trainer in PyTorch', () => {
  /** CLaaS's numbers (B4): five tokens, three of them the teacher's. */
  const teacher = [{ tokens: [1, 0, 2], logprobs: [0.6, 0.25, 0.1].map(Math.log) }];
  const sampled = (y: number, old: number): TrainingSample[] => [
    { prompt: [4], response: [y], teacher, old: [old], base: [-1.5] },
  ];
  const SETTINGS: TrainerSettings = {
    ...{ objective: 'sdpo', learningRate: 1e-12, rank: 2, alpha: 4, modules: ['q_proj', 'down_proj'], maxGradNorm: 1 },
    ...{ weightDecay: 0, mixture: 0.5, isClip: 5, klWeight: 0.1, seed: 7 },
  };

  it('computes CLaaS’s vectors, with the same bounds as ours', async () => {
    const folder = await temporaryFolder();
    const modelPath = await writeFlatModel(join(folder, 'flat.gguf'), [2, 1, 0.5, -1, 0]);
    const between = trainerIn(folder);
    await between.open({ modelPath, settings: SETTINGS });
    expect(await between.score({ prompt: [4], response: [1] })).toEqual([expect.closeTo(-1.574438, 5)]);
    expect(await between.step(sampled(1, -1.2))).toMatchObject({
      ...{ distillLoss: expect.closeTo(0.060568, 5), klLoss: expect.closeTo(0.002703, 5) },
      ...{ loss: expect.closeTo(0.060838, 5), isRatio: expect.closeTo(0.687676, 5), clipFraction: 0, tokens: 1 },
    });
    await between.close();
    const student = trainerIn(folder);
    await student.open({ modelPath, settings: { ...SETTINGS, mixture: 1 } });
    expect((await student.step(sampled(1, -1.2))).loss).toBeCloseTo(1.151846, 5);
    // −293.440755 where the loss is not held to 10 nats before the ratio.
    const { distillLoss, klLoss, clipFraction } = await student.step(sampled(3, -9));
    expect([distillLoss, clipFraction]).toEqual([expect.closeTo(-50, 4), 1]);
    expect(klLoss).toBeCloseTo(1.200065, 5);
  });

  it.each([
    ['llama', ['distillation', 'sdpo', 'sdpo-student']],
    ['qwen2', ['sdpo']],
    ['qwen3', ['sdpo-student']],
    ['gemma3', ['distillation']],
  ])('takes the steps that ours takes: %s', async (architecture, losses) => {
    const folder = await temporaryFolder();
    const { modelPath, samples, ...first } = await trainingFixture(architecture);
    await writePeft(folder, first.adapter('adapter'), 'fixture');
    for (const loss of losses) {
      const fixture = await trainingFixture(architecture); // ours learns in the arrays that it is given
      // A rate as in earnest: fifty times as fast, AdamW's first steps turn on the signs of gradients that are almost 0.
      const settings = { ...settingsOf(fixture, loss), learningRate: 1e-3 };
      const trainer = trainerIn(folder);
      await trainer.open({ modelPath, settings, from: folder });
      const adapter = fixture.adapter('adapter');
      const ours = await openTraining({
        ...{
          modelPath,
          settings,
          from: async () => ({ adapter, state: newState(adapter) }),
          keep: { weights: true, passed: true },
        },
      });
      onTestFinished(() => ours.close());
      for (let step = 0; step < 5; step++) {
        const rate = 1 - step / 8;
        const [figures, expected] = [await trainer.step(samples, { rate }), await ours.training.step(samples, rate)];
        const { distill } = fixture.expected[loss] ?? { distill: Number.NaN };
        if (step === 0) expect(figures.distillLoss / distill).toBeCloseTo(1, 4);
        expect(Math.abs(figures.loss / expected.loss - 1)).toBeLessThan(1e-4);
        expect(Math.abs(figures.gradNorm / expected.gradNorm - 1)).toBeLessThan(1e-4);
        if (step === 0) {
          const { peft, gguf } = await saved(trainer, modelPath, join(folder, `${loss}-1`));
          expect(furthest(peft, ours.adapter)).toBeLessThan(1e-4);
          expect(furthest(gguf, peft)).toBe(0);
        }
      }
      const { peft } = await saved(trainer, modelPath, join(folder, `${loss}-5`));
      expect(furthest(peft, ours.adapter)).toBeLessThan(1e-4);
      await trainer.close();
    }
  });

  it('has only the last layers learn of an adapter that changes all', async () => {
    const folder = await temporaryFolder();
    const fixture = await trainingFixture('llama');
    const { modelPath, samples } = fixture;
    const settings = { ...settingsOf(fixture, 'sdpo'), learningRate: 1e-3, lastLayers: 1 };
    const adapter = fixture.adapter('adapter');
    await writePeft(folder, adapter, 'fixture');
    const before = structuredClone(adapter.matrices);
    const trainer = trainerIn(folder);
    await trainer.open({ modelPath, settings, from: folder });
    const ours = await openTraining({
      ...{ modelPath, settings, from: async () => ({ adapter, state: newState(adapter) }) },
      keep: { weights: true, passed: true },
    });
    onTestFinished(() => ours.close());
    for (let step = 0; step < 2; step++) {
      const [figures, expected] = [await trainer.step(samples), await ours.training.step(samples)];
      expect(Math.abs(figures.gradNorm / expected.gradNorm - 1)).toBeLessThan(1e-4);
    }
    const { peft } = await saved(trainer, modelPath, join(folder, 'saved'));
    expect(furthest(peft, ours.adapter)).toBeLessThan(1e-4);
    expect(peft.matrices.get('0.q_proj')).toEqual(before.get('0.q_proj'));
    expect(peft.matrices.get('1.q_proj')).not.toEqual(before.get('1.q_proj'));
  });

  it('goes on from what it has saved as if it had not stopped, and begins as ours does', async () => {
    const folder = await temporaryFolder();
    const fixture = await trainingFixture('qwen3');
    const { modelPath, samples } = fixture;
    const settings = settingsOf(fixture, 'sdpo');
    const whole = trainerIn(folder);
    await whole.open({ modelPath, settings });
    const begun = await saved(whole, modelPath, join(folder, 'step-0'));
    const ours = await openTraining({ modelPath, settings, keep: { weights: true, passed: true } });
    onTestFinished(() => ours.close());
    expect([...begun.peft.matrices.keys()]).toEqual([...ours.adapter.matrices.keys()]);
    for (const [name, { a, b }] of ours.adapter.matrices) expect(begun.peft.matrices.get(name)).toMatchObject({ a, b });
    await whole.step(samples);
    await whole.save(join(folder, 'step-1'));
    await whole.step(samples);
    const expected = await saved(whole, modelPath, join(folder, 'step-2'));
    await whole.close();
    const { metadata, tensors } = await readSafetensors(join(folder, 'step-2', 'optimizer.safetensors'));
    expect(metadata.steps).toBe('2');
    expect(tensors.get('0.q_proj.b.squares')?.shape).toEqual([32, 4]);

    const resumed = trainerIn(folder);
    await resumed.open({ modelPath, settings, from: join(folder, 'step-1') });
    await resumed.step(samples);
    const found = await saved(resumed, modelPath, join(folder, 'again'));
    expect(furthest(found.peft, expected.peft)).toBe(0);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await expect(resumed.save(join(folder, 'again'))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('refuses an optimizer’s state that does not fit, samples of another vocabulary, and what does not fit into memory', async () => {
    const folder = await temporaryFolder();
    const fixture = await trainingFixture('qwen2');
    const { modelPath, samples } = fixture;
    const settings = settingsOf(fixture, 'sdpo');
    await writePeft(folder, fixture.adapter('adapter'), 'fixture');
    await writeFile(join(folder, 'optimizer.safetensors'), await readFile(join(folder, 'adapter_model.safetensors')));
    const trainer = trainerIn(folder);
    const opening = trainer.open({ modelPath, settings, from: folder });
    await expect(opening).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
    await trainer.open({ modelPath, settings });
    const [sample] = samples;
    const strange = { ...sample, response: sample?.response.map(() => 56) } as TrainingSample;
    await expect(trainer.step([strange])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await trainer.close();
    const options = {
      python: python ?? '',
      workFolder: join(folder, 'torch'),
      device: 'cpu',
      memoryLimit: 1e8,
    } as const;
    const small = new TorchTrainer(options).open({ modelPath, settings });
    await expect(small).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  });

  it('ends its process where a step is cancelled or the process is killed, and can be opened again', async () => {
    const folder = await temporaryFolder();
    const fixture = await trainingFixture('gemma3');
    const { modelPath } = fixture;
    const samples = Array.from({ length: 64 }, () => fixture.samples[0] as TrainingSample);
    const settings = settingsOf(fixture, 'sdpo');
    const trainer = trainerIn(folder);

    await trainer.open({ modelPath, settings });
    const cancelled = trainer.pid as number;
    const cancel = new AbortController();
    const step = trainer.step(samples, { signal: cancel.signal });
    cancel.abort(new Error('Not now.'));
    await expect(step).rejects.toThrow('Not now.');
    expect(() => process.kill(cancelled, 0)).toThrow('ESRCH');
    await expect(trainer.step(samples)).rejects.toMatchObject({ code: 'NOT_RUNNING' });

    await trainer.open({ modelPath, settings });
    const killed = trainer.step(samples);
    process.kill(trainer.pid as number, 'SIGKILL');
    await expect(killed).rejects.toMatchObject({ code: 'INTERNAL', retryable: true });
    await trainer.open({ modelPath, settings });
    expect((await trainer.step(fixture.samples)).tokens).toBe(14);
    await trainer.close();
    expect(await readdir(join(folder, 'torch'))).toEqual([]);
  });

  it('ends with the node, however that ended and however busy it is', async () => {
    const folder = await temporaryFolder();
    const child = startChild(CHILD, [python ?? '', join(folder, 'torch')]);
    const [pid] = await once(child.stdout.setEncoding('utf8'), 'data');
    const used = async () => (await processUsage(Number(pid))).cpuSeconds ?? 0;
    const before = await used();
    await until(async () => expect(await used()).toBeGreaterThan(before + 0.5)); // it computes
    child.kill('SIGKILL');
    await until(() => expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH'));
  });
});
