import { isLoopback } from '../../base/loopback.ts';
import { BucketMap } from '../../base/token-bucket.ts';
import type { BanList } from './ban-list.ts';
import type { Limits } from './limits.ts';

/** Why a connection is not wanted. */
export type GateReason = 'banned' | 'too many connections' | 'too many from this host' | 'host connects too often';

/** Decides who may connect: bans, connections in total and per host, handshakes per host and second. */
export class ConnectionGate {
  readonly #limits: Limits;
  readonly #bans: BanList;
  readonly #now: () => number;
  readonly #handshakes = new BucketMap();
  readonly #openByHost = new Map<string, number>();
  #open = 0;

  constructor(limits: Limits, bans: BanList, now: () => number) {
    this.#limits = limits;
    this.#bans = bans;
    this.#now = now;
  }

  /** Asked before anything is set up for a handshake from outside. `host` is unknown for some relayed ones. */
  refusesHandshake(nodeId: string, host: string | undefined): GateReason | undefined {
    if (host !== undefined && !isLoopback(host)) {
      const now = this.#now();
      const bucket = this.#handshakes.get(host, this.#limits.handshakesPerSecond, this.#limits.handshakeBurst, now);
      if (!bucket?.take(1, now)) return 'host connects too often';
    }
    return this.#refuses(nodeId, host);
  }

  /** Counts a connection that stands; a reason means that it was not counted and must go. */
  enter(nodeId: string, host: string): GateReason | undefined {
    const reason = this.#refuses(nodeId, host);
    if (reason) return reason;
    this.#open++;
    this.#openByHost.set(host, (this.#openByHost.get(host) ?? 0) + 1);
    return undefined;
  }

  /** A counted connection ended. */
  leave(host: string): void {
    this.#open--;
    const left = (this.#openByHost.get(host) ?? 0) - 1;
    if (left > 0) this.#openByHost.set(host, left);
    else this.#openByHost.delete(host);
  }

  #refuses(nodeId: string, host: string | undefined): GateReason | undefined {
    if (this.#bans.find(nodeId)) return 'banned';
    if (this.#open >= this.#limits.connections) return 'too many connections';
    const fromHost = host === undefined || isLoopback(host) ? 0 : (this.#openByHost.get(host) ?? 0);
    return fromHost >= this.#limits.connectionsPerHost ? 'too many from this host' : undefined;
  }
}
