/** The crowd's process of `quarry bench hostile`: peers that connect to one node, say what a generator makes, and come back. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import HyperDHT, { type Address } from 'hyperdht';
import { seededRandom } from '../../base/seeded-random.ts';
import { NETWORKS } from '../../mesh/networks.ts';
import { identityFromSeed } from '../../mesh/transport/identity.ts';
import { MeshKeys } from '../../mesh/transport/topic.ts';
import { type Channel, HostileCaller } from './hostile-caller.ts';
import { oneOf, type Pick } from './schema-values.ts';

export type CrowdOrder =
  | { type: 'open'; victim: string; bootstrap: Address[]; peers: number; seed: number }
  | { type: 'close' };

export interface CrowdAnswer {
  /** Utterances since the start. */
  said: number;
  /** Connections that were begun. */
  calls: number;
}

/** Sockets that the crowd shares. */
const SOCKETS = 8;
/** Milliseconds between two things that one peer says, and between two of its calls: together they fill a core. */
const SAY_MS = 200;
const CALL_MS = 2_000;
/** Milliseconds in which the other side hears that they are gone. */
const LEAVE_MS = 500;

class Crowd {
  readonly #victim: string;
  readonly #dhts: HyperDHT[];
  readonly #channels: Channel[];
  readonly #pick: Pick;
  readonly #callers = new Set<HostileCaller>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly told: CrowdAnswer = { said: 0, calls: 0 };
  #closed = false;

  constructor({ victim, bootstrap, seed }: Extract<CrowdOrder, { type: 'open' }>) {
    const { uniform } = seededRandom(seed);
    const keys = new MeshKeys();
    this.#victim = victim;
    this.#pick = (bound) => Math.floor(uniform() * bound);
    this.#dhts = Array.from({ length: SOCKETS }, () => new HyperDHT({ bootstrap, host: '127.0.0.1' }));
    this.#channels = [NETWORKS.inference, NETWORKS.scores].map((network) => ({
      ...network,
      topic: keys.topic(network.name),
    }));
  }

  /** One more peer, from now on. */
  add(): void {
    this.#later(this.#pick(CALL_MS), () => this.#call());
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const caller of this.#callers) caller.close();
    await sleep(LEAVE_MS);
    await Promise.all(this.#dhts.map((dht) => dht.destroy({ force: true })));
  }

  #later(ms: number, act: () => void): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
  }

  #call(): void {
    this.told.calls++;
    const identity = identityFromSeed(randomBytes(32));
    const dht = oneOf(this.#dhts, this.#pick);
    const stream = dht.connect(Buffer.from(this.#victim, 'hex'), { keyPair: identity.keyPair });
    const caller = new HostileCaller({ stream, identity, victim: this.#victim, channels: this.#channels });
    this.#callers.add(caller);
    stream.once('open', () => this.#greet(caller));
    stream.once('close', () => {
      this.#callers.delete(caller);
      this.#later(CALL_MS, () => this.#call());
    });
  }

  #greet(caller: HostileCaller): void {
    for (const { name } of this.#channels) {
      if (this.#pick(10) === 9) caller.lyingHello(name, this.#pick);
      else caller.hello(name);
    }
    this.#sayOn(caller);
  }

  #sayOn(caller: HostileCaller): void {
    this.#later(SAY_MS * (0.5 + this.#pick(1_000) / 1_000), () => {
      if (caller.closed) return;
      const { name } = oneOf(this.#channels, this.#pick);
      caller.send(name, caller.next(name, this.#pick));
      this.told.said++;
      this.#sayOn(caller);
    });
  }
}

let crowd: Crowd | undefined;

process.once('disconnect', () => process.exit());
process.on('message', async (order: CrowdOrder) => {
  if (order.type === 'open') {
    crowd = new Crowd(order);
    for (let count = 0; count < order.peers; count++) crowd.add();
    return;
  }
  await crowd?.close();
  process.send?.(crowd?.told);
  process.disconnect();
});
