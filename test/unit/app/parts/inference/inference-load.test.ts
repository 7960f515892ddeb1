import { expect, it } from 'vitest';
import { LoadTimes } from '../../../../../src-main/app/engine/load-times.ts';
import { LocalUse } from '../../../../../src-main/app/engine/local-use.ts';
import { MachineEngines } from '../../../../../src-main/app/engine/machine-engines.ts';
import { openInference } from '../../../../../src-main/app/parts/inference/inference.ts';
import { EngineSlot } from '../../../../../src-main/inference/host/engine-slot.ts';
import type { MiningView } from '../../../../../src-preload/contract/node.ts';
import { ScriptedBackend } from '../../../../support/scripted-backend.ts';

const keeper = { keep: () => expect.fail('nothing is asked here') };
const learnt = { isName: () => false, names: () => [], choose: () => expect.fail('nothing is asked here') };

function inference(mining?: MiningView['state'], waiting?: { name: string; sha256: string }) {
  const slot = new EngineSlot(async () => new ScriptedBackend());
  const loadTimes = new LoadTimes({ list: async () => [], put: async () => {} });
  const engine = {
    slot,
    localUse: new LocalUse({ engine: slot }),
    others: undefined,
    machine: new MachineEngines(slot, undefined),
    loadTimes,
    isOwn: async () => false,
    waiting: async () => waiting,
  };
  const needs = { config: { backend: 'local' as const }, mesh: undefined, keeper, learnt, onDrain: () => {} };
  const part = openInference({ ...needs, engine, mining: mining && { switch: { state: mining } } });
  return { part, slot, engine };
}

it('the model of this computer is loaded for who asks here, and taken out again', async () => {
  const { part, slot, engine } = inference('stopped');
  await part.load();
  expect(slot.status().state).toBe('ready');
  await part.unload();
  expect(slot.status().state).toBe('closed');
  await part.unload();
  engine.localUse.close();
});

it('the model that a node mines with stays', async () => {
  const { part, slot, engine } = inference('running');
  await part.load();
  await expect(part.unload()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(slot.status().state).toBe('ready');
  await slot.close();
  engine.localUse.close();
});

it('what would be loaded for a question is listed, with how much it reads once that is known', async () => {
  const nothing = inference();
  expect(await nothing.part.models()).toEqual([]);
  const { part, slot, engine } = inference(undefined, { name: 'qwen', sha256: 'a'.repeat(64) });
  expect(await part.models()).toEqual([
    { name: 'local', kind: 'local' },
    { name: 'qwen', kind: 'local' },
  ]);
  await part.load();
  const { name, contextSize } = slot.status().model ?? {};
  expect(await part.models()).toEqual([
    { name: 'local', kind: 'local', contextSize },
    { name, kind: 'local', contextSize },
  ]);
  await slot.close();
  engine.localUse.close();
});

it('nothing is loaded for the name of a model that this machine does not have', async () => {
  const { part, slot, engine } = inference(undefined, { name: 'qwen', sha256: 'a'.repeat(64) });
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const asked = Array.fromAsync(part.ask({ target: 'local', messages, model: 'nosuch' }));
  await expect(asked).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND', field: 'model' });
  expect(slot.empty).toBe(true);
  expect(await part.route('nosuch')).toBeUndefined();
  engine.localUse.close();
});

it('a node without an engine says so', async () => {
  const part = openInference({
    ...{ config: { backend: 'local' }, keeper, learnt, onDrain: () => {} },
    ...{ engine: undefined, mesh: undefined, mining: undefined },
  });
  await expect(part.load()).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  await expect(part.unload()).rejects.toMatchObject({ code: 'NOT_RUNNING' });
});
