import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedEngines } from '../support/scripted-engines.ts';
import { ask, TestMesh, type TestWorker } from '../support/test-mesh.ts';
import { until } from '../support/until.ts';

/* Models that have to be loaded first, over real connections; engines say what they are told to. */

let mesh: TestMesh;
beforeAll(async () => {
  mesh = await TestMesh.open();
});
afterEach(() => mesh.clear());
afterAll(() => mesh.close());

const gate = () => Promise.withResolvers<void>();
const waited = (worker: TestWorker) => worker.worker.report();

async function offering(loadMs: number): Promise<{ engines: ScriptedEngines; worker: TestWorker }> {
  const engines = new ScriptedEngines({ second: loadMs });
  return { engines, worker: await mesh.worker({ tokens: ['I am the first.'] }, { others: engines }) };
}

describe('a model that has to be loaded', () => {
  it('keeps no place from others, and is answered with when it is there', async () => {
    const { engines, worker } = await offering(12_000);
    const loading = gate();
    engines.during = () => loading.promise;
    const { client } = await mesh.client([worker]);
    const second = ask(client, 'hello', { model: 'second' });
    await until(() => expect(engines.loading).toBe('second'));
    expect((await ask(client, 'hello', { model: 'scripted' })).text).toBe('I am the first.');
    expect(waited(worker)).toMatchObject({ running: 0, served: 1 });
    loading.resolve();
    const { text, events } = await second;
    expect(text).toBe('I am second.');
    const told = events.flatMap((event) => (event.type === 'queued' ? [event.etaMs] : []));
    expect(told[0]).toBeGreaterThanOrEqual(12_000);
    expect(engines.held.get('second')).toBe(0);
  });

  it('is asked for where it is in memory, before where it is not', async () => {
    // So long that it is worse also while the other is thought to be busy: the word that it is free again may come late.
    const [loads, has] = [await offering(12_000), await offering(10)];
    (await has.engines.begin('second', new AbortController().signal, () => {}))[Symbol.dispose]();
    has.worker.worker.changed();
    const { client } = await mesh.client([loads.worker, has.worker]);
    await until(() => {
      const told = client.workers().find(({ id }) => id === has.worker.id)?.status?.models[1];
      expect(told).toEqual({ name: 'second', contextSize: 4_096 });
    });
    for (let count = 0; count < 3; count++) await ask(client, 'hello', { model: 'second' });
    expect([loads.engines.loads, waited(has.worker).served]).toEqual([[], 3]);
  });

  it('is asked for elsewhere where a worker has no memory for it; one alone says so', async () => {
    const [full, other] = [await offering(10), await offering(5_000)];
    full.engines.hasRoom = false;
    const { client } = await mesh.client([full.worker, other.worker]);
    const { text, events } = await ask(client, 'hello', { model: 'second' });
    expect([text, events.filter(({ type }) => type === 'restart').length]).toEqual(['I am second.', 1]);
    await other.worker.swarm.close();
    const alone = await mesh.client([full.worker], { attempts: 1, findWorkerMs: 100 });
    await expect(ask(alone.client, 'hello', { model: 'second' })).rejects.toMatchObject({
      code: 'OVERLOADED',
      retryable: true,
      message: expect.stringContaining('second'),
    });
  });

  it('that is there too late ends with a word about it, and is loaded all the same', async () => {
    const { engines, worker } = await offering(10);
    const loading = gate();
    engines.during = () => loading.promise;
    const { client } = await mesh.client([worker]);
    await expect(ask(client, 'hello', { model: 'second', deadlineMs: 300 })).rejects.toMatchObject({
      code: 'DEADLINE',
    });
    await until(() => expect(waited(worker)).toMatchObject({ failed: 1, running: 0, waiting: 0 }));
    loading.resolve();
    await until(() => expect(engines.backends.has('second')).toBe(true));
    expect(engines.held.get('second') ?? 0).toBe(0);
  });

  it('is asked for elsewhere, too, while one that promised to take long is silent for half of the time', async () => {
    const [silent, other] = [await offering(3_000), await offering(60_000)];
    const never = gate();
    silent.engines.during = () => never.promise;
    const { client } = await mesh.client([silent.worker, other.worker]);
    const { text } = await ask(client, 'hello', { model: 'second', deadlineMs: 3_000 });
    expect([text, silent.engines.loads.length, other.engines.loads.length]).toEqual(['I am second.', 1, 1]);
    never.resolve();
  });

  /** The worker's only place is taken, and a request for the other model waits behind it. */
  async function waitingInLine() {
    const { engines, worker } = await offering(10);
    const long = gate();
    worker.backend.before = () => long.promise;
    const { client } = await mesh.client([worker], { attempts: 1 });
    const first = ask(client, 'hello', { model: 'scripted' });
    await until(() => expect(waited(worker).running).toBe(1));
    const second = ask(client, 'hello', { model: 'second' });
    await until(() => expect([engines.backends.has('second'), waited(worker).waiting]).toEqual([true, 1]));
    await until(() => expect(engines.held.get('second')).toBe(0));
    return { engines, worker, first, second, end: () => long.resolve() };
  }

  it('is held for nobody who waits in line, and answers when the turn comes', async () => {
    const { engines, first, second, end } = await waitingInLine();
    end();
    expect([(await first).text, (await second).text]).toEqual(['I am the first.', 'I am second.']);
    expect([engines.loads, engines.held.get('second')]).toEqual([['second'], 0]);
  });

  it('that was freed while a request waited in line is not loaded again for it', async () => {
    const { engines, worker, first, second, end } = await waitingInLine();
    engines.free('second');
    end();
    await expect(second).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
    expect((await first).text).toBe('I am the first.');
    expect([engines.loads, waited(worker)]).toMatchObject([['second'], { running: 0, waiting: 0, failed: 1 }]);
  });
});
