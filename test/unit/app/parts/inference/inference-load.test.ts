import { expect, it } from 'vitest';
import { LocalUse } from '../../../../../src-main/app/engine/local-use.ts';
import { openInference } from '../../../../../src-main/app/parts/inference/inference.ts';
import { EngineSlot } from '../../../../../src-main/inference/host/engine-slot.ts';
import type { MiningView } from '../../../../../src-preload/contract/node.ts';
import { ScriptedBackend } from '../../../../support/scripted-backend.ts';

const keeper = { keep: () => expect.fail('nothing is asked here') };
const learnt = { isName: () => false, names: () => [], choose: () => expect.fail('nothing is asked here') };
const settings = { follow: () => ({ now: undefined, whenSet: () => {} }) } as never;

function inference(mining?: MiningView['state']) {
  const slot = new EngineSlot(async () => new ScriptedBackend());
  const engine = { slot, localUse: new LocalUse({ engine: slot }), others: undefined, isOwn: async () => false };
  const needs = { config: { backend: 'local' as const }, settings, mesh: undefined, keeper, learnt, onDrain: () => {} };
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

it('a node without an engine says so', async () => {
  const part = openInference({
    ...{ config: { backend: 'local' }, settings, keeper, learnt, onDrain: () => {} },
    ...{ engine: undefined, mesh: undefined, mining: undefined },
  });
  await expect(part.load()).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  await expect(part.unload()).rejects.toMatchObject({ code: 'NOT_RUNNING' });
});
