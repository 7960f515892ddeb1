import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JaxTrainer, type JaxTrainerOptions } from '../../../../src-main/learning/training/jax-trainer.ts';
import type { TrainingSample } from '../../../../src-main/learning/training/trainer.ts';
import type { TrainingTask } from '../../../../src-main/learning/training/training-messages.ts';
import { sentence, type Words } from '../../../../src-preload/contract/saying.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';
import { type ScriptedChild, scriptedSpawner } from '../../../support/scripted-spawner.ts';
import { settingsOf, type TrainingFixture, trainingFixture } from '../../../support/training-fixture.ts';
import { until } from '../../../support/until.ts';

let fixture: TrainingFixture;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let lost: string[];

beforeEach(async () => {
  fixture = await trainingFixture('llama');
  folder = await temporaryFolder();
  lost = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await folder.remove();
});

/** One that is open, with a process that does what the test says, and the last task that this was given. */
async function opened(options: JaxTrainerOptions = {}) {
  const spawner = scriptedSpawner();
  const onPageLost = (why: Words) => lost.push(sentence(why));
  const trainer = new JaxTrainer({ spawner, memoryLimit: 8e9, onPageLost, ...options });
  const settings = settingsOf(fixture, 'distillation');
  const opening = trainer.open({ modelPath: fixture.modelPath, settings, longest: 4_096 });
  await until(() => expect(spawner.children[0]?.sent).toHaveLength(1));
  const child = spawner.children[0] as ScriptedChild;
  child.onMessage({ id: 1, done: true });
  await opening;
  const asked = async (task: string) => {
    await until(() => expect(child.sent.at(-1)).toMatchObject({ task }));
    return child.sent.at(-1) as TrainingTask & { folder: string };
  };
  return { trainer, child, asked, living: () => spawner.living() };
}

const target = () => join(folder.path, 'saved');

describe('a trainer whose process hangs', () => {
  it('is ended while it saves, and leaves no half of it', async () => {
    const { trainer, asked, living } = await opened();
    const stop = new AbortController();
    const saving = trainer.save(target(), stop.signal);
    saving.catch(() => expect(living()).toBe(0));
    const { folder: temporary } = await asked('save');
    await mkdir(temporary);
    await writeFile(join(temporary, 'adapter.gguf'), 'half');
    stop.abort(new Error('forgotten'));
    await expect(saving).rejects.toThrow('forgotten');
    expect([living(), await readdir(folder.path)]).toEqual([0, []]);
  });

  it.each([
    [true, { code: 'WORKER_LOST', retryable: true }],
    [false, { code: 'INTERNAL', retryable: true }],
  ])('is not waited for without end (in a page: %s)', async (onPage, failure) => {
    for (const task of ['step', 'save'] as const) {
      lost = [];
      const { trainer, asked, living } = await opened({ onPage });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const work = task === 'step' ? trainer.step(fixture.samples) : trainer.save(target());
      const failing = expect(work).rejects.toMatchObject(failure);
      await asked(task);
      await vi.advanceTimersByTimeAsync(9 * 60_000);
      expect(living()).toBe(1);
      await vi.advanceTimersByTimeAsync(2 * 60_000);
      await failing;
      vi.useRealTimers();
      expect([living(), existsSync(target())]).toEqual([0, false]);
      expect(lost).toEqual(onPage ? [expect.stringMatching(/was ended: .* 10 minutes/)] : []);
      await expect(trainer.step(fixture.samples)).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    }
  });

  it('is waited for as long as it may take', async () => {
    const { trainer, living } = await opened();
    const sample = { ...fixture.samples[0], prompt: Array(4_000).fill(1) } as TrainingSample;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failing = expect(trainer.step(Array(64).fill(sample))).rejects.toMatchObject({ code: 'INTERNAL' });
    await vi.advanceTimersByTimeAsync(20 * 60_000);
    expect(living()).toBe(1);
    await vi.advanceTimersByTimeAsync(100 * 60_000);
    await failing;
    expect(living()).toBe(0);
  });
});

describe('a trainer on the GPU', () => {
  const failed = { message: 'The gradient is no number.' };

  it.each(['INTERNAL', 'UNSUPPORTED', 'OUT_OF_MEMORY', 'WORKER_LOST'])('has lost it with %s', async (code) => {
    const { trainer, child, asked } = await opened({ onPage: true });
    for (const [task, work] of [
      ['step', () => trainer.step(fixture.samples)],
      ['score', () => trainer.score(fixture.samples[0] as TrainingSample)],
      ['save', () => trainer.save(target())],
    ] as const) {
      lost = [];
      const failing = expect(work()).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
      child.onMessage({ id: (await asked(task)).id, failed: { code, ...failed } });
      await failing;
      expect(lost).toEqual([expect.stringContaining('The gradient is no number.')]);
    }
    await trainer.close();
  });

  it.each(['BAD_REQUEST', 'CANCELLED', 'DISK_FULL'])('keeps it where %s is no fault of it', async (code) => {
    const { trainer, child, asked } = await opened({ onPage: true });
    const failing = expect(trainer.save(target())).rejects.toMatchObject({ code });
    child.onMessage({ id: (await asked('save')).id, failed: { code, ...failed } });
    await failing;
    expect(lost).toEqual([]);
    await trainer.close();
  });

  it('is not what fails without it', async () => {
    const { trainer, child, asked } = await opened();
    const failing = expect(trainer.step(fixture.samples)).rejects.toMatchObject({ code: 'INTERNAL' });
    child.onMessage({ id: (await asked('step')).id, failed: { code: 'INTERNAL', ...failed } });
    await failing;
    expect(lost).toEqual([]);
    await trainer.close();
  });
});
