import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetCall } from '../../src-main/mesh/fleet/calls.ts';
import { CALLS_NETWORK } from '../../src-main/mesh/fleet/messages.ts';
import { openFleetNode, type TestFleetNode, type TestFleetOptions } from '../support/fleet-node.ts';
import { HostilePeer } from '../support/hostile-peer.ts';
import { pair } from '../support/paired.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await openTestnet();
});
afterAll(() => testnet.close());

const node = (name: string, options: Partial<TestFleetOptions> = {}) =>
  openFleetNode({ bootstrap: testnet.bootstrap, name, ...options });

/** What a node hears in calls about one thing. */
function listenTo({ fleet }: TestFleetNode, about: string) {
  const heard = { calls: [] as FleetCall[], messages: [] as unknown[], ended: 0 };
  fleet.onCall(about, (call) => {
    heard.calls.push(call);
    call.onMessage((message) => heard.messages.push(message));
    call.onClose(() => heard.ended++);
  });
  return heard;
}

describe('nodes of one owner call each other', () => {
  it('about one thing or another, until one of them hangs up', async () => {
    await using pc = await node('PC');
    await using laptop = await node('Laptop');
    await pair(pc, laptop);
    const knitting = listenTo(pc, 'knitting');
    const rowing = listenTo(pc, 'rowing');
    const [one, two] = [laptop.fleet.call(pc.id, 'knitting'), laptop.fleet.call(pc.id, 'rowing')];
    const answers: unknown[] = [];
    one.onMessage((message) => answers.push(message));
    one.send({ wool: ['red', 'blue'] });
    two.send({ oars: 2 });
    await until(() => expect(rowing.messages).toEqual([{ oars: 2 }]));
    expect(knitting.messages).toEqual([{ wool: ['red', 'blue'] }]);
    expect(knitting.calls[0]).toMatchObject({ node: laptop.id, name: 'Laptop' });
    expect(one).toMatchObject({ node: pc.id, name: 'PC' });
    knitting.calls[0]?.send({ needles: 4 });
    await until(() => expect(answers).toEqual([{ needles: 4 }]));
    one.close();
    one.close();
    await until(() => expect(knitting.ended).toBe(1));
    expect(rowing.ended).toBe(0);
    let ended = 0;
    two.onClose(() => ended++);
    rowing.calls[0]?.close();
    await until(() => expect(ended).toBe(1));
    expect(pc.swarm.refusals.counts()).toEqual({});
  });

  it('in vain about what nobody there knows, or when they are away', async () => {
    await using pc = await node('PC');
    await using laptop = await node('Laptop');
    await pair(pc, laptop);
    let ended = 0;
    laptop.fleet.call(pc.id, 'whistling').onClose(() => ended++);
    await until(() => expect(ended).toBe(1));
    expect(() => laptop.fleet.call('a'.repeat(64), 'knitting')).toThrow(
      expect.objectContaining({ code: 'NOT_RUNNING' }),
    );
  });

  it('and hear it when the other one is gone', async () => {
    await using laptop = await node('Laptop');
    let ended = 0;
    {
      await using pc = await node('PC');
      await pair(pc, laptop);
      listenTo(pc, 'knitting');
      laptop.fleet.call(pc.id, 'knitting').onClose(() => ended++);
    }
    await until(() => expect(ended).toBe(1));
  });

  it('no longer once one of them ends the pairing: nothing that was said after that is heard', async () => {
    await using pc = await node('PC');
    await using laptop = await node('Laptop');
    await pair(pc, laptop);
    const knitting = listenTo(pc, 'knitting');
    const call = laptop.fleet.call(pc.id, 'knitting');
    call.send({ wool: 'red' });
    await until(() => expect(knitting.messages).toHaveLength(1));
    const removed = pc.fleet.remove(laptop.id);
    expect(knitting.ended, 'at once').toBe(1);
    call.send({ wool: 'blue' });
    await removed;
    await until(async () => expect(await laptop.sees(pc.id)).toBeUndefined());
    expect(knitting.messages).toHaveLength(1);
    expect(() => laptop.fleet.call(pc.id, 'knitting')).toThrow();
  });

  it('a stranger is not listened to', async () => {
    await using pc = await node('PC');
    const knitting = listenTo(pc, 'knitting');
    const stranger = await HostilePeer.connect(testnet.bootstrap, pc.id);
    await stranger.join(CALLS_NETWORK, pc.swarm.keys.topic(CALLS_NETWORK.name));
    stranger.hello({ sides: [] });
    const id = 'c'.repeat(32);
    stranger.send({ v: 2, type: 'call-begin', id, about: 'knitting' });
    stranger.send({ v: 2, type: 'call-say', id, message: { wool: 'red' } });
    await stranger.closed;
    expect(knitting).toMatchObject({ calls: [], messages: [] });
    await stranger.destroy();
  });

  it('one that begins calls without end gets sixteen, and is shut out when it does not stop', async () => {
    await using pc = await node('PC');
    await using laptop = await node('Laptop');
    await pair(pc, laptop);
    const knitting = listenTo(pc, 'knitting');
    const begin = () => {
      for (let count = 0; count < 200; count++) laptop.fleet.call(pc.id, 'knitting');
    };
    begin();
    await until(() => {
      expect(() => begin()).toThrow();
      expect(pc.swarm.refusals.counts()['too many frames']).toBeGreaterThan(0);
    });
    expect(knitting.calls.length).toBeLessThanOrEqual(16);
  });
});
