import { describe, expect, it } from 'vitest';
import { ignoring } from '../../../src-main/base/swallowed.ts';
import { EngineSlot } from '../../../src-main/inference/host/engine-slot.ts';
import { MiningState } from '../../../src-main/mining/mining-state.ts';
import { MiningSwitch } from '../../../src-main/mining/mining-switch.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { resourceContract } from '../../support/resource-contract.ts';
import { ScriptedBackend } from '../../support/scripted-backend.ts';
import { until } from '../../support/until.ts';

const TOO_LARGE = new QuarryError({
  code: 'OUT_OF_MEMORY',
  message: 'It is too large.',
  hint: 'Choose a smaller one.',
});

/** Mining over a scripted engine; `load` is awaited before each model is there. */
function make(load: () => Promise<void> = async () => undefined) {
  const told: string[] = [];
  const engine = new EngineSlot(async () => {
    await load();
    return new ScriptedBackend({ model: 'small' });
  });
  const state = new MiningState();
  const mining = new MiningSwitch({
    engine,
    state,
    worker: { endAll: async () => void told.push('ended what runs') },
    model: () => 'chosen',
    onRunning: () => told.push('running'),
    onStopping: async () => void told.push('stopping'),
  });
  const states: string[] = [];
  mining.subscribe(() => states.push(mining.state));
  return { mining, engine, state, states, told };
}

resourceContract('the mining switch', {
  make: (undo) => {
    const { mining, engine } = make();
    undo(() => engine.close());
    return { open: () => mining.start(), close: () => mining.close() };
  },
});

describe('mining', () => {
  it('loads the model, says so, and names what it serves', async () => {
    const { mining, state, states, told } = make();
    expect(mining.view()).toEqual({ state: 'stopped', model: 'chosen' });
    expect(state.refusal).toEqual(say('mesh.miningStopped'));
    await mining.start();
    expect(mining.view()).toEqual({ state: 'running', model: 'small' });
    expect(state.refusal).toBeUndefined();
    expect([states, told]).toEqual([['starting', 'running'], ['running']]);
  });

  it('is started once by all who ask at the same time', async () => {
    let loads = 0;
    const { mining } = make(async () => void loads++);
    await Promise.all([mining.start(), mining.start()]);
    await mining.start();
    expect(loads).toBe(1);
  });

  it('ends what runs before it takes the model away', async () => {
    const { mining, engine, states, told } = make();
    await mining.start();
    await mining.stop();
    expect(told).toEqual(['running', 'stopping', 'ended what runs']);
    expect(states).toEqual(['starting', 'running', 'stopping', 'stopped']);
    expect(engine.empty).toBe(true);
  });

  it('stays stopped when the model cannot be loaded, shows why, and forgets that at the next start', async () => {
    let fails = true;
    const { mining } = make(async () => {
      if (fails) throw TOO_LARGE;
    });
    await expect(mining.start()).rejects.toBe(TOO_LARGE);
    expect(mining.view()).toEqual({
      state: 'stopped',
      model: 'chosen',
      error: { code: 'OUT_OF_MEMORY', message: 'It is too large.', hint: 'Choose a smaller one.' },
    });
    fails = false;
    await mining.start();
    expect(mining.view()).toEqual({ state: 'running', model: 'small' });
  });

  it('gives up loading when it is stopped meanwhile, without an error to show', async () => {
    const loading = Promise.withResolvers<void>();
    const { mining, engine } = make(() => loading.promise);
    const starting = mining.start();
    starting.catch(ignoring('looked at later'));
    const stopping = mining.stop();
    loading.resolve();
    await stopping;
    await expect(starting).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(mining.view()).toEqual({ state: 'stopped', model: 'chosen' });
    expect(engine.empty).toBe(true);
  });

  it('does what it was told last', async () => {
    const { mining } = make();
    await mining.start();
    const [, started] = [mining.stop(), mining.start()];
    await started;
    expect(mining.state).toBe('running');
    const [stopped, again] = [mining.stop(), mining.start()];
    again.catch(ignoring('looked at later'));
    await Promise.all([stopped, mining.stop()]);
    await expect(again).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(mining.state).toBe('stopped');
  });

  it('loads another model only if it mines', async () => {
    let loads = 0;
    const { mining, engine } = make(async () => void loads++);
    await engine.open(); // somebody of this machine asked something
    await mining.reload();
    expect([mining.state, engine.empty, loads]).toEqual(['stopped', true, 1]);
    await mining.start();
    await mining.reload();
    expect([mining.state, engine.empty, loads]).toEqual(['running', false, 3]);
  });

  it('stays stopped when that is said while another model is about to be loaded', async () => {
    const { mining, engine } = make();
    await mining.start();
    const reloading = mining.reload();
    await mining.stop();
    await reloading;
    expect([mining.state, engine.empty]).toEqual(['stopped', true]);
  });

  it('goes on when the model is changed twice at once, and whoever changed it waits for the model', async () => {
    const { mining } = make();
    await mining.start();
    const states = [mining.reload(), mining.reload()].map(async (reload) => {
      await reload;
      return mining.state;
    });
    expect(await Promise.all(states)).toEqual(['running', 'running']);
  });

  it('does not take a model for loaded whose start was overtaken', async () => {
    const gates: PromiseWithResolvers<void>[] = [];
    const engine = new EngineSlot(async () => new ScriptedBackend({ model: 'small' }));
    const onLoaded = () => {
      gates.push(Promise.withResolvers<void>());
      return gates.at(-1)?.promise ?? Promise.resolve();
    };
    const worker = { endAll: async () => undefined };
    const mining = new MiningSwitch({ engine, worker, model: () => undefined, onLoaded });
    const first = mining.start();
    await until(() => expect(gates).toHaveLength(1));
    await mining.stop();
    const second = mining.start();
    await until(() => expect(gates).toHaveLength(2));
    gates[0]?.resolve();
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(mining.state).toBe('starting');
    gates[1]?.resolve();
    await second;
    expect(mining.state).toBe('running');
  });

  it('starts no more once it is closed', async () => {
    const { mining, engine } = make();
    await mining.start();
    await mining.close();
    await expect(mining.start()).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(engine.empty).toBe(true);
  });
});
