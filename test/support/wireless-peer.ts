import { EventEmitter } from 'node:events';
import { TokenBucket } from '../../src-main/base/token-bucket.ts';
import type { InferenceMessage } from '../../src-main/mesh/inference/messages.ts';
import { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import type { Peer } from '../../src-main/mesh/transport/peer.ts';

/** A peer of the inference network without a connection: keeps what it is sent, and says what a test lets it say. */
export class WirelessPeer {
  readonly sent: InferenceMessage[] = [];
  /** «offence: detail» of each. */
  readonly offences: string[] = [];
  /** The same of those that it was answered for and not dropped. */
  readonly faults: string[] = [];
  /** How often it was noted to be of use. */
  uses = 0;
  readonly peer: Peer<InferenceMessage>;
  readonly #events = new EventEmitter();
  #isWanted: (frame: Record<string, unknown>) => boolean = () => true;

  /** @param caps what its hello says that it can do */
  constructor(id: string, sides: string[] = ['worker'], caps: string[] = []) {
    const send = (message: InferenceMessage) => {
      this.sent.push(message);
      this.#events.emit('sent', message);
      return true;
    };
    const offend = (offence: string, detail: string) => this.offences.push(`${offence}: ${detail}`);
    const blame = (offence: string, detail: string) => this.faults.push(`${offence}: ${detail}`);
    const useful = () => void this.uses++;
    const onMessage = (listener: (message: InferenceMessage) => void) => this.#events.on('message', listener);
    const screen = (isWanted: (frame: Record<string, unknown>) => boolean) => {
      this.#isWanted = isWanted;
    };
    const pace = new TokenBucket(1e9, 1e9, 0);
    const hello = { caps };
    const own = {
      id,
      host: '127.0.0.1',
      sides,
      hello,
      pace,
      send,
      offend,
      blame,
      useful,
      onMessage,
      screen,
      closed: false,
    };
    this.peer = Object.assign(this.#events.setMaxListeners(0), own) as unknown as Peer<InferenceMessage>;
  }

  /** Those who listen to what it says. */
  get listeners(): number {
    return this.#events.listenerCount('message');
  }

  /** Calls `listener` with everything that it is sent. */
  onSent(listener: (message: InferenceMessage) => void): void {
    this.#events.on('sent', listener);
  }

  say(message: InferenceMessage): void {
    const frame = { ...message };
    if (this.#isWanted(frame)) this.#events.emit('message', frame);
  }
}

/** The inference network as far as those see it who wait for its peers. */
export class WirelessNetwork {
  readonly network: MeshNetwork<InferenceMessage>;
  readonly #peers = new Map<string, Peer<InferenceMessage>>();
  readonly #events = new EventEmitter();

  constructor() {
    const { follow } = MeshNetwork.prototype;
    const seen = Object.assign(this.#events, { peers: this.#peers, follow });
    this.network = seen as unknown as MeshNetwork<InferenceMessage>;
  }

  /** Those who wait for peers to come or go. */
  get listeners(): number {
    return this.#events.listenerCount('peer') + this.#events.listenerCount('leave');
  }

  join({ peer }: WirelessPeer): void {
    this.#peers.set(peer.id, peer);
    this.#events.emit('peer', peer);
  }

  leave({ peer }: WirelessPeer): void {
    this.#peers.delete(peer.id);
    this.#events.emit('leave', peer, 'gone');
  }
}
