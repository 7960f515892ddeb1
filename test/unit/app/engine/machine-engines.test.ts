import { expect, it } from 'vitest';
import { MachineEngines } from '../../../../src-main/app/engine/machine-engines.ts';
import { readNode } from '../../../../src-main/app/node/reading.ts';
import { EngineSlot } from '../../../../src-main/inference/host/engine-slot.ts';
import { ScriptedBackend } from '../../../support/scripted-backend.ts';

it('are seen together: the node is busy while another model answers, loaded beside its own or alone', async () => {
  const own = new ScriptedBackend({ model: 'own' });
  const other = new ScriptedBackend({ model: 'other' });
  const slot = new EngineSlot(async () => own);
  const machine = new MachineEngines(slot, { loaded: [other], asked: 3 });
  other.active = 2;
  const read = () => readNode({ engine: { slot, machine }, mesh: undefined, mining: undefined }).engine;
  expect(read()).toEqual({ state: 'none', active: 2, waiting: 0 });
  expect(machine.named('own')).toBeUndefined();
  await slot.open();
  own.active = 1;
  expect(read()).toMatchObject({ state: 'ready', active: 3, model: { name: 'own' } });
  expect(machine.all).toEqual([own, other]);
  expect([machine.named('own') === own, machine.named('other') === other]).toEqual([true, true]);
  own.active = 0;
  await Array.fromAsync(slot.generate({ input: { prompt: 'Hello' } }));
  expect(machine.asked).toBe(4);
});

it('show the GPUs through any that has loaded its model', () => {
  const here = (open: boolean) =>
    Object.assign(new ScriptedBackend({ open }), { engine: {} }) as unknown as ScriptedBackend;
  const [starting, ready, elsewhere] = [here(false), here(true), new ScriptedBackend()];
  const engines = (...loaded: ScriptedBackend[]) =>
    new MachineEngines({ current: starting, asked: 0 }, { loaded, asked: 0 });
  expect(engines(elsewhere).ready).toBeUndefined();
  expect(engines(elsewhere, ready).ready === ready).toBe(true);
});
