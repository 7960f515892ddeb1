import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { TorchTrainer } from '../../../../../src-main/learning/training/torch/torch-trainer.ts';
import { sentence } from '../../../../../src-preload/contract/saying.ts';
import { type ScriptedChild, scriptedSpawner } from '../../../../support/scripted-spawner.ts';
import { settingsOf, trainingFixture } from '../../../../support/training-fixture.ts';
import { until } from '../../../../support/until.ts';

it('is ended while it saves, leaves no half of it, and can be opened again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-torch-'));
  const fixture = await trainingFixture('llama');
  const spawner = scriptedSpawner();
  const trainer = new TorchTrainer({ python: 'python', workFolder: join(folder, 'work'), spawner, device: 'cpu' });
  onTestFinished(async () => {
    await trainer.close();
    await rm(folder, { recursive: true, force: true });
  });
  expect(sentence(trainer.computes)).toBe('Computed by PyTorch on the processor.');
  const opened = async () => {
    const opening = trainer.open({ modelPath: fixture.modelPath, settings: settingsOf(fixture, 'distillation') });
    await until(() => expect(spawner.living()).toBe(1));
    const child = spawner.children.at(-1) as ScriptedChild;
    child.onMessage({ say: 'hello', protocol: 2, torch: '2.15.0', python: '3.12.4', device: 'cpu' });
    await until(() => expect(child.sent).toMatchObject([{ do: 'open' }]));
    child.onMessage({ say: 'done', id: 1 });
    await opening;
    return child;
  };

  const child = await opened();
  const stop = new AbortController();
  const saving = trainer.save(join(folder, 'saved'), stop.signal);
  saving.catch(() => expect(spawner.living()).toBe(0));
  await until(() => expect(child.sent.at(-1)).toMatchObject({ do: 'save' }));
  await writeFile(join((child.sent.at(-1) as { folder: string }).folder, 'adapter_model.safetensors'), 'half');
  stop.abort(new Error('forgotten'));
  await expect(saving).rejects.toThrow('forgotten');
  expect([spawner.living(), await readdir(folder), await readdir(join(folder, 'work'))]).toEqual([0, ['work'], []]);
  await opened();
});
