import { describe, expect, it } from 'vitest';
import type { Place } from '../../../../../src-main/mesh/serving/queue/job.ts';
import { LOADS, ModelLoads } from '../../../../../src-main/mesh/serving/queue/model-loads.ts';
import { ScriptedEngines } from '../../../../support/scripted-engines.ts';

const place = (client: string, isNewcomer = false): Place => ({
  ...{ client, isNewcomer, tier: isNewcomer ? 'newcomer' : 'gold', prefix: `net of ${client}` },
});

function setUp() {
  const engines = new ScriptedEngines({ second: 12_000, third: 3_000 });
  const clock = { now: 0 };
  const loads = new ModelLoads(engines, () => clock.now);
  const told: number[] = [];
  const ask = async (name: string, who: Place, signal = new AbortController().signal) =>
    await loads.engineFor(name, { place: who, signal, onLoading: (ms) => told.push(ms) });
  /** Asks, and frees it at once, so that the next one has to load it again. */
  const load = async (name: string, who: Place) => {
    (await ask(name, who))[Symbol.dispose]();
    engines.free(name);
  };
  return { engines, clock, loads, told, ask, load };
}

describe('loading models for the mesh', () => {
  it('loads one that is offered, says how long that takes, and keeps it while it is needed', async () => {
    const { engines, loads, told, ask } = setUp();
    expect(loads.names()).toEqual(['second', 'third']);
    const first = await ask('second', place('a'));
    const again = await ask('second', place('a'));
    expect([engines.loads, told, engines.held.get('second')]).toEqual([['second'], [12_000], 2]);
    for (const used of [first, again]) used[Symbol.dispose]();
    expect(engines.held.get('second')).toBe(0);
    await expect(ask('fourth', place('a'))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND', retryable: true });
  });

  it('lets nobody wait for another that is being loaded, and few for the same', async () => {
    const { engines, told, ask } = setUp();
    const gate = Promise.withResolvers<void>();
    engines.during = () => gate.promise;
    const waiting = [ask('second', place('a')), ask('second', place('a')), ask('second', place('b'))];
    await expect(ask('third', place('c'))).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterMs: 3_000 });
    await expect(ask('second', place('a'))).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterMs: 12_000 });
    for (const client of ['c', 'd', 'e', 'f', 'g']) waiting.push(ask('second', place(client)));
    await expect(ask('second', place('h'))).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
    gate.resolve();
    await Promise.all(waiting);
    expect([engines.loads, told.length]).toEqual([['second'], 8]);
  });

  it('of one client causes few loads, and of all together not many', async () => {
    const { clock, load } = setUp();
    await load('second', place('a'));
    await load('third', place('a'));
    const everyMs = LOADS.each.everyMs;
    await expect(load('second', place('a'))).rejects.toMatchObject({ code: 'RATE_LIMIT', retryAfterMs: everyMs });
    await load('second', place('b'));
    await load('second', place('c'));
    const tooMany = { code: 'RATE_LIMIT', retryAfterMs: LOADS.all.everyMs };
    await expect(load('second', place('d'))).rejects.toMatchObject(tooMany);
    clock.now += LOADS.all.everyMs;
    await load('second', place('d'));
  });

  it('are not counted where there is no room: to ask for what does not fit keeps nobody from loading', async () => {
    const { engines, load } = setUp();
    engines.hasRoom = false;
    for (const client of ['a', 'a', 'a', 'b', 'b', 'b'])
      await expect(load('second', place(client))).rejects.toMatchObject({ code: 'OVERLOADED' });
    engines.hasRoom = true;
    for (const client of ['a', 'a', 'c', 'd']) await load('third', place(client));
    await expect(load('third', place('e'))).rejects.toMatchObject({ code: 'RATE_LIMIT' });
    expect(engines.loads).toHaveLength(LOADS.all.burst);
  });

  it('of newcomers are counted by network, and are a small part, however many they are', async () => {
    const { load } = setUp();
    const newcomers = ['a', 'b', 'c'].map((client) => place(client, true));
    await load('second', newcomers[0] as Place);
    await load('second', newcomers[1] as Place);
    const tooMany = { code: 'RATE_LIMIT', retryAfterMs: LOADS.newcomers.everyMs };
    await expect(load('second', newcomers[2] as Place)).rejects.toMatchObject(tooMany);
    await load('second', place('owed'));
  });

  it('says that it has no room as one that is overloaded, and forgets who has gone', async () => {
    const { engines, ask } = setUp();
    engines.hasRoom = false;
    await expect(ask('second', place('a'))).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
    engines.hasRoom = true;
    const gate = Promise.withResolvers<void>();
    engines.during = () => gate.promise;
    const gone = new AbortController();
    const asked = [1, 2].map(() => ask('second', place('b'), gone.signal));
    gone.abort();
    for (const each of asked) await expect(each).rejects.toMatchObject({ code: 'CANCELLED' });
    const after = ask('second', place('b'));
    gate.resolve();
    (await after)[Symbol.dispose]();
    expect([engines.loads, engines.held.get('second')]).toEqual([['second'], 0]);
  });
});
