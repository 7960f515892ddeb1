import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src-main/store/database.ts';
import { PairedNodeStore } from '../../src-main/store/mesh/paired-nodes.ts';
import { openFleetNode, SUMMARY, type TestFleetNode, type TestFleetOptions } from '../support/fleet-node.ts';
import { randomIdentity } from '../support/mesh-node.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

let testnet: Testnet;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let databases = 0;

beforeAll(async () => {
  testnet = await openTestnet();
  folder = await temporaryFolder();
});
afterAll(async () => {
  await testnet.close();
  await folder.remove();
});

const nextDatabase = () => join(folder.path, `${++databases}.db`);

const node = (name: string, options: Partial<TestFleetOptions> = {}) =>
  openFleetNode({ bootstrap: testnet.bootstrap, name, ...options });

/** Has `guest` join with a code that `host` shows; resolves when each is connected with the other. */
async function pair(host: TestFleetNode, guest: TestFleetNode, mayControl = { host: false, guest: false }) {
  const { code } = await host.fleet.offer(mayControl.guest);
  await guest.fleet.join(code.toLowerCase().replaceAll('-', ' '), mayControl.host);
  await until(async () => {
    expect((await host.sees(guest.id))?.summary, 'the host sees the guest').toBeDefined();
    expect((await guest.sees(host.id))?.summary, 'the guest sees the host').toBeDefined();
  });
  return code;
}

describe('nodes of one owner', () => {
  it('pair by a code, and each sees how the others are, now and when it changes', async () => {
    await using pc = await node('Gaming PC');
    await using laptop = await node('Laptop');
    await using server = await node('Server');
    await pair(pc, laptop);
    expect((await pc.fleet.view()).offer).toMatchObject({ pairedWith: laptop.id });
    expect((await pc.fleet.view()).offer).not.toHaveProperty('code');
    await pair(pc, server);
    const { nodes } = await pc.fleet.view();
    expect(nodes.map(({ name, self, online }) => [name, self, online])).toEqual([
      ['Gaming PC', true, true],
      ['Laptop', false, true],
      ['Server', false, true],
    ]);
    expect(await laptop.sees(server.id), 'who is paired with one is not paired with all').toBeUndefined();
    expect((await laptop.sees(pc.id))?.summary).toEqual(pc.summary);
    pc.summary = { ...pc.summary, name: 'Big PC', standing: 'paused', rule: 'heat', earned: { today: 13, week: 81 } };
    await until(async () => expect(await laptop.sees(pc.id)).toMatchObject({ name: 'Big PC', summary: pc.summary }));
  });

  it('pair although one takes longer to keep it than the other one waits', async () => {
    let told = 0;
    const summary = async () => {
      told++;
      return SUMMARY;
    };
    await using pc = await node('PC', { keepMs: 50, summary });
    const written = Promise.withResolvers<void>();
    const db = await openDatabase(':memory:');
    const store = new PairedNodeStore(db);
    const put = store.put.bind(store);
    store.put = async (kept) => {
      await written.promise;
      await put(kept);
    };
    await using laptop = await node('Laptop', { store });
    const { code } = await pc.fleet.offer(false);
    const joining = laptop.fleet.join(code, false);
    await until(async () => expect(await pc.sees(laptop.id)).toMatchObject({ online: true }));
    const before = told;
    await until(() => expect(told).toBeGreaterThan(before + 3)); // it says how it is, once: the other one is not sure of it yet
    written.resolve();
    await joining;
    await until(async () => {
      expect((await pc.sees(laptop.id))?.summary).toBeDefined();
      expect((await laptop.sees(pc.id))?.summary).toBeDefined();
    });
    await db.destroy();
  });

  it('say what they do although only the newer one knows the word for it', async () => {
    await using pc = await node('PC');
    await using server = await node('Server');
    await pair(pc, server);
    server.summary = { ...server.summary, standing: 'validating' as never };
    await until(async () => expect(await pc.sees(server.id)).toMatchObject({ summary: { standing: 'other' } }));
    expect(pc.swarm.refusals.counts()).toEqual({});
  });

  it('start and stop mining at another only where its owner allows that', async () => {
    await using pc = await node('PC');
    await using server = await node('Server');
    await pair(pc, server);
    await expect(pc.fleet.order(server.id, 'stop')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await pc.sees(server.id))?.controllable).toBe(false);
    await server.fleet.allow(pc.id, true);
    await until(async () => expect((await pc.sees(server.id))?.controllable).toBe(true));
    await pc.fleet.order(server.id, 'stop');
    await pc.fleet.order(server.id, 'start');
    expect(server.orders).toEqual(['stop', 'start']);
    await expect(server.fleet.order(pc.id, 'stop'), 'the other way it was not allowed').rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(pc.orders).toEqual([]);
    await server.fleet.allow(pc.id, false);
    await expect(pc.fleet.order(server.id, 'stop')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(server.orders).toHaveLength(2);
  });

  it('say so where there is nothing to start', async () => {
    await using pc = await node('PC');
    await using phone = await node('Client', { isMiner: false });
    await pair(pc, phone, { host: true, guest: false });
    await expect(pc.fleet.order(phone.id, 'start')).rejects.toMatchObject({ code: 'NOT_RUNNING' });
  });

  it('find each other again after a restart, and keep what an absent one said last', async () => {
    const identity = randomIdentity();
    await using pc = await node('PC');
    const database = nextDatabase();
    const before = Date.now();
    {
      await using laptop = await node('Laptop', { identity, database });
      await pair(pc, laptop, { host: true, guest: true });
    }
    await until(async () => expect(await pc.sees(identity.id)).toMatchObject({ online: false, name: 'Laptop' }));
    const gone = await pc.sees(identity.id);
    expect(gone?.summary?.earned.today).toBe(12);
    expect(gone?.seenAt).toBeGreaterThanOrEqual(before);
    await using laptop = await node('Laptop', { identity, database });
    await until(async () => expect(await pc.sees(identity.id)).toMatchObject({ online: true, controllable: true }));
    expect(await laptop.sees(pc.id)).toMatchObject({ name: 'PC', mayControlThis: true });
  });

  it('are no pair any more when one of them says so, and the other hears of it when it comes back', async () => {
    const identity = randomIdentity();
    await using pc = await node('PC');
    await using server = await node('Server');
    const database = nextDatabase();
    await pair(pc, server);
    await pc.fleet.remove(server.id);
    expect(await pc.sees(server.id)).toBeUndefined();
    await until(async () => expect(await server.sees(pc.id)).toBeUndefined());
    {
      await using laptop = await node('Laptop', { identity, database });
      await pair(pc, laptop, { host: true, guest: true });
    }
    await pc.fleet.remove(identity.id);
    await using laptop = await node('Laptop', { identity, database });
    expect(await laptop.sees(pc.id), 'it does not know yet').toBeDefined();
    await until(async () => expect(await laptop.sees(pc.id)).toBeUndefined());
    expect(await pc.sees(identity.id), 'and did not come in again').toBeUndefined();
  });

  it('pair again after they were parted', async () => {
    await using pc = await node('PC');
    await using laptop = await node('Laptop');
    await pair(pc, laptop);
    await laptop.fleet.remove(pc.id);
    await until(async () => expect(await pc.sees(laptop.id)).toBeUndefined());
    await pair(laptop, pc);
  });
});
