import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ignoring } from '../../src-main/base/swallowed.ts';
import { CodeKeys } from '../../src-main/mesh/fleet/code-keys.ts';
import { OFFER_MS } from '../../src-main/mesh/fleet/fleet.ts';
import { FLEET_NETWORK, PAIRING_NETWORK } from '../../src-main/mesh/fleet/messages.ts';
import { PairingOffer } from '../../src-main/mesh/fleet/offer.ts';
import { PairedNodes } from '../../src-main/mesh/fleet/paired-nodes.ts';
import { toWords } from '../../src-main/mesh/fleet/summary-words.ts';
import { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import { PairedNodeStore } from '../../src-main/store/mesh/paired-nodes.ts';
import { pairingCode } from '../../src-preload/contract/pairing-code.ts';
import { openFleetNode, SUMMARY, type TestFleetNode, type TestFleetOptions } from '../support/fleet-node.ts';
import { HostilePeer } from '../support/hostile-peer.ts';
import { openSwarm, testLog } from '../support/mesh-node.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

let testnet: Testnet;
const open: { close(): Promise<unknown> }[] = [];
beforeAll(async () => {
  testnet = await openTestnet();
});
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});
afterAll(() => testnet.close());

const node = (name: string, options: Partial<TestFleetOptions> = {}) =>
  openFleetNode({ bootstrap: testnet.bootstrap, name, ...options });
const placeOf = (host: TestFleetNode, keys: CodeKeys) => host.swarm.keys.topicOf(PAIRING_NETWORK.name, keys.meeting);
const othersOf = async ({ fleet }: TestFleetNode) => (await fleet.view()).nodes.slice(1).map(({ name }) => name);
const WRONG = 'a'.repeat(64);

/** A stranger on one of the host's channels, who has said hello. */
async function strangerAt(host: TestFleetNode, network: { name: string }, topic: Buffer): Promise<HostilePeer> {
  const peer = await HostilePeer.connect(testnet.bootstrap, host.id);
  open.push({ close: () => peer.destroy() });
  await peer.join(network, topic);
  peer.hello({ sides: [] });
  return peer;
}

describe('a code', () => {
  it('that nobody shows leads nowhere', async () => {
    await using host = await node('Host');
    await using guest = await node('Guest', { findMs: 1_500 });
    await host.fleet.offer(false);
    const join = guest.fleet.join(pairingCode(randomBytes(21)), false);
    await expect(join).rejects.toMatchObject({ code: 'NO_WORKER' });
    expect(await othersOf(host)).toEqual([]);
  });

  it('that is cancelled, too old or this node’s own is refused', async () => {
    let now = Date.now();
    await using host = await node('Host', { now: () => now });
    await using guest = await node('Guest');
    await using late = await node('Late', { findMs: 1_500 });
    const { code } = await host.fleet.offer(false);
    await expect(host.fleet.join(code, false)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    now += OFFER_MS;
    await expect(guest.fleet.join(code, false)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await host.fleet.cancelOffer();
    await expect(late.fleet.join(code, false)).rejects.toMatchObject({ code: 'NO_WORKER' });
    expect([await othersOf(host), await othersOf(guest), await othersOf(late)]).toEqual([[], [], []]);
  });

  it('that another one has replaced is no use, be they made at the same moment', async () => {
    await using host = await node('Host');
    await using late = await node('Late', { findMs: 1_500 });
    await using guest = await node('Guest');
    const [first, second] = await Promise.all([host.fleet.offer(true), host.fleet.offer(false)]);
    expect((await host.fleet.view()).offer).toEqual(second);
    await expect(late.fleet.join(first.code, false)).rejects.toMatchObject({ code: 'NO_WORKER' });
    await guest.fleet.join(second.code, false);
    expect(await othersOf(host)).toEqual(['Guest']);
  });

  it('that was being made when its node closed is never shown', async () => {
    const { promise: summary, resolve } = Promise.withResolvers<typeof SUMMARY>();
    await using host = await node('Host', { summary: () => summary });
    const offer = host.fleet.offer(false);
    const closed = host.fleet.close();
    resolve(SUMMARY);
    await expect(offer).rejects.toMatchObject({ code: 'CANCELLED' });
    await closed;
  });

  it('that could not be announced is not shown', async () => {
    await using host = await node('Host');
    vi.spyOn(host.swarm, 'attach').mockImplementationOnce(() => {
      throw new Error('no network');
    });
    await expect(host.fleet.offer(false)).rejects.toThrow('no network');
    expect((await host.fleet.view()).offer).toBeUndefined();
  });

  it('is good for one node: of two that come together one is paired, and none after it', async () => {
    await using host = await node('Host');
    await using one = await node('Guest');
    await using two = await node('Guest');
    const { code } = await host.fleet.offer(false);
    const giveUp = new AbortController();
    const joining = [one, two].map(({ fleet }) => fleet.join(code, false, giveUp.signal));
    const both = Promise.allSettled(joining);
    await Promise.any(joining);
    setTimeout(() => giveUp.abort(), 1_500); // who comes when the host has let go of the code is told nothing
    expect((await both).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await othersOf(host)).toEqual(['Guest']);
    await using late = await node('Late', { findMs: 1_500 });
    await expect(late.fleet.join(code, false)).rejects.toThrow();
    expect(await othersOf(host)).toEqual(['Guest']);
  });

  it('is not given away by a proof: on another connection it counts for nothing, and the code waits on', async () => {
    await using host = await node('Host');
    await using guest = await node('Guest');
    const { code } = await host.fleet.offer(false);
    const keys = new CodeKeys(code);
    // The proof of somebody who knows the code, as the connection's other end would have it, on a second connection of the same node.
    const one = await strangerAt(host, PAIRING_NETWORK, placeOf(host, keys));
    const proof = keys.proof('request', {
      handshakeHash: one.stream.handshakeHash,
      host: host.id,
      guest: one.identity.id,
    });
    await one.destroy();
    const again = await HostilePeer.connect(testnet.bootstrap, host.id, one.identity);
    open.push({ close: () => again.destroy() });
    await again.join(PAIRING_NETWORK, placeOf(host, keys));
    again.hello({ sides: [] });
    again.send({ v: 2, type: 'pair-request', name: 'Mallory', proof });
    await again.closed;
    expect(host.swarm.refusals.counts()['wrong proof']).toBe(1);
    await guest.fleet.join(code, false);
    expect(await othersOf(host)).toEqual(['Guest']);
  });

  it('survives those who guess, ask twice, say nonsense or too much', async () => {
    await using host = await node('Host');
    await using guest = await node('Guest');
    const { code } = await host.fleet.offer(false);
    const place = placeOf(host, new CodeKeys(code));
    const guess = { v: 2, type: 'pair-request', name: 'Mallory', proof: WRONG };
    const speeches: ((peer: HostilePeer) => void)[] = [
      ...Array.from({ length: 12 }, () => (peer: HostilePeer) => peer.send(guess)),
      (peer) => peer.send({ v: 2, type: 'pair-done' }),
      (peer) => peer.send({ v: 2, type: 'pair-accept', name: 'Mallory', proof: WRONG }),
      (peer) => peer.send({ ...guess, proof: 'short' }),
      (peer) => peer.send({ ...guess, name: 'two\nlines' }),
      (peer) => peer.send({ ...guess, more: 1 }),
      (peer) => peer.sendBytes(Buffer.from([0, 0, 0x40, 1])), // a frame one byte over 16 KiB
      (peer) => peer.sendBytes(Buffer.from([0xff, 0xff, 0xff, 0xff])),
    ];
    await Promise.all(
      speeches.map(async (speak) => {
        const peer = await strangerAt(host, PAIRING_NETWORK, place);
        speak(peer);
        await peer.closed;
      }),
    );
    expect(await othersOf(host)).toEqual([]);
    await guest.fleet.join(code, false);
    expect(await othersOf(host)).toEqual(['Guest']);
  });

  it('brings two together although a third listens at its place and answers first', async () => {
    await using host = await node('Host');
    await using guest = await node('Guest');
    const code = pairingCode(randomBytes(21));
    const topic = placeOf(host, new CodeKeys(code));
    const heard: string[] = [];
    for (const answer of ['pair-accept', 'pair-refuse'] as const) {
      const swarm = await openSwarm({ bootstrap: testnet.bootstrap });
      const log = testLog;
      const mallory = new MeshNetwork({
        ...PAIRING_NETWORK,
        swarm,
        topic,
        mode: 'server',
        describe: () => ({ sides: [] }),
        log,
      });
      mallory.follow((peer) => {
        const rest =
          answer === 'pair-accept' ? { type: answer, name: 'Host' } : { type: answer, reason: 'used' as const };
        peer.onMessage(({ type }) => {
          heard.push(`${answer} after ${type}`);
          peer.send({ v: 2, proof: WRONG, ...rest });
        });
      });
      await mallory.open();
      await mallory.discovered();
      open.push(swarm, mallory);
    }
    const joining = guest.fleet.join(code, false);
    joining.catch(ignoring('it is awaited below'));
    await until(() =>
      expect(heard.toSorted()).toEqual(['pair-accept after pair-request', 'pair-refuse after pair-request']),
    );
    const nodes = new PairedNodes(new PairedNodeStore(host.db), testLog);
    const expiresAt = Date.now() + OFFER_MS;
    const common = { code, expiresAt, mayControl: false, name: 'Host', onPaired: () => {}, log: testLog };
    const offer = new PairingOffer({ ...common, nodes, swarm: host.swarm });
    open.push(offer);
    await offer.open();
    expect((await joining).id).toBe(host.id);
    expect(await othersOf(guest)).toEqual(['Host']);
    expect(nodes.list().map(({ nodeId }) => nodeId)).toEqual([guest.id]);
  });
});

describe('between paired nodes', () => {
  it('a stranger who claims to be one of them is told that he is not, and does nothing', async () => {
    await using host = await node('Host');
    const topic = host.swarm.keys.topic(FLEET_NETWORK.name);
    const stranger = await strangerAt(host, FLEET_NETWORK, topic);
    stranger.send({ v: 2, type: 'node-summary', summary: toWords({ ...SUMMARY, name: 'Mallory' }), control: true });
    stranger.send({ v: 2, type: 'mining-order', id: 'b'.repeat(32), want: 'stop' });
    stranger.send({ v: 2, type: 'unpaired' });
    await stranger.closed; // after he was told
    expect(host.orders).toEqual([]);
    expect(await othersOf(host)).toEqual([]);
  });

  it.each([
    ['an id that is not its own', { summary: { ...SUMMARY, id: WRONG } }],
    ['a name that steers a terminal', { summary: { ...SUMMARY, name: 'PC \u001b[2J' } }],
    ['figures without an end', { summary: { ...SUMMARY, credits: 1e300 } }],
    ['a standing that is no word', { summary: { ...SUMMARY, standing: '<b>rich</b>' } }],
    ['the longest reason and more', { summary: { ...SUMMARY, detail: 'x'.repeat(301) } }],
  ])('%s ends the connection, and what was known stays', async (_what, lie) => {
    await using host = await node('Host');
    await using guest = await node('Guest');
    const { code } = await host.fleet.offer(true);
    await guest.fleet.join(code, true);
    await until(async () => expect((await host.sees(guest.id))?.summary).toEqual(guest.summary));
    const known = await host.sees(guest.id);
    guest.summary = lie.summary as never;
    await until(() => expect(host.swarm.refusals.counts()['protocol error']).toBeGreaterThan(0));
    expect((await host.sees(guest.id))?.summary).toEqual(known?.summary);
  });

  it('who says more than a message a second is passed over, and banned when there is no end of it', async () => {
    await using host = await node('Host');
    await using guest = await node('Guest', { tellEveryMs: 1_000_000 });
    const { code } = await host.fleet.offer(true);
    await guest.fleet.join(code, true);
    await until(async () => expect((await guest.sees(host.id))?.controllable).toBe(true));
    await Promise.race([
      Promise.all(
        Array.from({ length: 2_000 }, () => guest.fleet.order(host.id, 'stop').catch(ignoring('most are refused'))),
      ),
      until(() => expect(host.swarm.refusals.counts()['too many frames']).toBeGreaterThan(0)),
    ]);
    expect(host.orders.length).toBeLessThan(60);
  });
});
