import { pino } from 'pino';
import { expect, it } from 'vitest';
import { GpuTrainers } from '../../../../src-main/app/learning/gpu-trainers.ts';
import type { JaxTrainer } from '../../../../src-main/learning/training/jax-trainer.ts';
import { PageTraining } from '../../../../src-main/learning/training/page/page-training.ts';
import { failureOf } from '../../../../src-main/process/failure.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';
import { type ScriptedChild, scriptedSpawner } from '../../../support/scripted-spawner.ts';
import { settingsOf, trainingFixture } from '../../../support/training-fixture.ts';
import { until } from '../../../support/until.ts';

const log = pino({ level: 'silent' });

/** What the trainer's process tells of a step that its page fails so. */
async function throughPage(failure: unknown): Promise<object> {
  let hear: (message: unknown) => void = () => undefined;
  const page = new PageTraining({
    send: (message) => setImmediate(() => hear({ type: 'failure', id: (message as { id: number }).id, failure })),
    onMessage: (listener) => {
      hear = listener;
    },
    onClose: () => undefined,
  });
  return await page.step([], 1).then(() => ({}), failureOf);
}

const named = async (trainer: Promise<JaxTrainer>) => sentence((await trainer).computes ?? '');

it.each([
  { code: 'EVIL', message: 'x' },
  { code: 'INTERNAL', message: 'The gradient is no number.' },
  { code: 'WORKER_LOST', message: 'x', said: { message: { key: 'training.died', params: { reason: null } } } },
  { code: 'WORKER_LOST', message: 'x', hint: { key: 'training.died', params: { reason: null } } },
  { code: 'WORKER_LOST' },
])('whatever a page says when it fails, the processor computes from then on: %j', async (failure) => {
  const fixture = await trainingFixture('llama');
  const spawner = scriptedSpawner();
  const trainers = new GpuTrainers({ spawner, pages: { acceptsSoftware: false }, log });
  const first = trainers.create(2e9);
  const device = { name: 'acme one', isSoftware: false, flops: 5e11 };
  spawner.children[0]?.onMessage({ id: 1, device, difference: 0 });
  expect(await named(first)).toBe('Computed by the GPU acme one.');

  const trainer = await first;
  const opening = trainer.open({ modelPath: fixture.modelPath, settings: settingsOf(fixture, 'distillation') });
  await until(() => expect(spawner.children).toHaveLength(2));
  const child = spawner.children[1] as ScriptedChild;
  await until(() => expect(child.sent).toHaveLength(1));
  child.onMessage({ id: 1, done: true });
  await opening;
  const step = expect(trainer.step(fixture.samples)).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
  child.onMessage({ id: 2, failed: structuredClone(await throughPage(failure)) });
  await step;
  expect(await named(trainers.create(2e9))).toMatch(/^Computed by the processor\. /);
  await trainer.close();
  expect(spawner.living()).toBe(0);
});
