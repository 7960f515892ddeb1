import { expect, it, onTestFinished, vi } from 'vitest';
import { TorchProcess } from '../../../../../src-main/learning/training/torch/torch-process.ts';
import { type ScriptedChild, scriptedSpawner } from '../../../../support/scripted-spawner.ts';

const HELLO = { say: 'hello', protocol: 2, torch: '2.15.0', python: '3.12.4', device: 'cpu' };
const FIGURES = { loss: 1, distillLoss: 1, klLoss: 0, gradNorm: 2, tokens: 3, seconds: 0.5 };
const STEP = { do: 'step', rate: 1, samples: '/samples' } as const;

function starting() {
  const spawner = scriptedSpawner();
  const started = TorchProcess.start({ python: '/env/bin/python', program: '/program', spawner });
  return { started, child: spawner.children[0] as ScriptedChild };
}

async function running() {
  const { started, child } = starting();
  child.onMessage(HELLO);
  const { process } = await started;
  onTestFinished(() => process.close());
  return { process, child };
}

it('gives its child a Python of its own, and nothing of this process’s secrets', async () => {
  process.env.SOME_API_KEY = 'secret';
  onTestFinished(() => {
    delete process.env.SOME_API_KEY;
  });
  const { child } = await running();
  expect(child.launch).toMatchObject({ run: '/env/bin/python', args: ['-I', '/program'], limits: { priority: 10 } });
  expect(JSON.stringify(child.launch.env)).not.toContain('secret');
});

it('asks, and is answered', async () => {
  const { process, child } = await running();
  const first = process.ask(STEP);
  expect(child.sent).toEqual([{ id: 1, ...STEP }]);
  child.onMessage({ say: 'done', id: 1, figures: FIGURES, peakBytes: 5 });
  expect(await first).toMatchObject({ figures: FIGURES });
  const second = process.ask(STEP);
  child.onMessage({ say: 'done', id: 1, figures: FIGURES }); // once more: nobody waits for it
  child.onMessage({ say: 'failed', id: 2, code: 'NOT_FINITE', detail: 'loss nan\u001b[31m' });
  await expect(second).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('no number') });
  const third = process.ask(STEP);
  child.onMessage({ say: 'failed', id: 3, code: 'OUT_OF_MEMORY', detail: 'CUDA' });
  await expect(third).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  expect(child.killed).toBe(false);
});

it.each<[string, unknown]>([
  ['no JSON', 'Traceback (most recent call last):'],
  ['another thing', { say: 'run', id: 1 }],
  ['a loss that is no number', { say: 'done', id: 1, figures: { ...FIGURES, loss: Number.NaN } }],
  ['a loss without end', { say: 'done', id: 1, figures: { ...FIGURES, loss: Number.POSITIVE_INFINITY } }],
  ['a code of its own', { say: 'failed', id: 1, code: 'UNAUTHORIZED', detail: '' }],
  ['a novel', { say: 'failed', id: 1, code: 'INTERNAL', detail: 'x'.repeat(100_000) }],
  ['probabilities above 1', { say: 'done', id: 1, logprobs: [0.5] }],
])('ends a child that says %s', async (_, message) => {
  const { process, child } = await running();
  const asked = process.ask(STEP);
  child.onMessage(message);
  await expect(asked).rejects.toMatchObject({ code: 'INTERNAL', retryable: true });
  expect(child.killed).toBe(true);
  expect(process.ended).toBe(true);
  await expect(process.ask(STEP)).rejects.toMatchObject({ code: 'INTERNAL' });
});

it('does not take a child of another protocol, nor one that dies before it says hello', async () => {
  const other = starting();
  other.child.onMessage({ ...HELLO, protocol: 1 });
  await expect(other.started).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(other.child.killed).toBe(true);
  const dead = starting();
  dead.child.onStderr("ModuleNotFoundError: No module named 'torch'\n");
  dead.child.die({ code: 1 });
  await expect(dead.started).rejects.toMatchObject({ message: expect.stringContaining("No module named 'torch'") });
});

it('ends the child with the signal: it does not look up while it computes', async () => {
  const { process, child } = await running();
  const cancel = new AbortController();
  const asked = process.ask(STEP, { signal: cancel.signal });
  cancel.abort(new Error('Enough.'));
  await expect(asked).rejects.toThrow('Enough.');
  expect(child.killed).toBe(true);
});

it('ends a child that hangs, and does not wait for it without end', async () => {
  const { process, child } = await running();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const quick = expect(process.ask(STEP)).rejects.toMatchObject({
    ...{ code: 'INTERNAL', retryable: true, message: expect.stringContaining('10 minutes') },
  });
  await vi.advanceTimersByTimeAsync(599_000);
  expect(child.killed).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  await quick;
  expect(child.killed).toBe(true);
});

it('gives a child that has much to compute the more time', async () => {
  const { process, child } = await running();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = process.ask(STEP, { foreseen: 60 });
  await vi.advanceTimersByTimeAsync(29 * 60_000);
  child.onMessage({ say: 'done', id: 1, figures: FIGURES });
  expect(await asked).toMatchObject({ figures: FIGURES });
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(child.killed).toBe(false);
});
