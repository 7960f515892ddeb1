import { DecayingWeights } from '../../../base/decaying-weights.ts';
import { isLoopback } from '../../../base/loopback.ts';
import { isLocalNetwork, networkPrefix } from '../../../base/network-prefix.ts';
import { BucketMap } from '../../../base/token-bucket.ts';
import type { BanList, Offence } from './ban-list.ts';
import { Knocks } from './knocks.ts';
import type { Limits } from './limits.ts';
import { PlaceBlame } from './place-blame.ts';

/** A network prefix has so many times what one host has. */
const PREFIX_CONNECTIONS = 2;
const PREFIX_HANDSHAKES = 4;
/**
 * Handshakes that one address may bring a second, and at once, its own or as a relay those of others: each takes a millisecond to read,
 * whoever it says that he is.
 */
const BROUGHT = 250;
/** One place in so many is kept for connections that this node starts itself: strangers cannot cut it off. */
const OWN_PLACES = 1 / 8;
/** Milliseconds in which what a node was useful for counts half. */
const USE_HALF_LIFE_MS = 3_600_000;
/** Below this, a node has been of no use lately: one answer counts for three hours. */
const OF_USE = 1 / 8;
/** Milliseconds after which a place that was of no use may go to a newcomer, wherever both come from. */
const IDLE_MS = 600_000;
const MAX_KNOWN = 10_000;

/** Why a connection is not wanted. */
export type GateReason =
  | 'banned'
  | 'banned host or network'
  | 'too many connections'
  | 'too many from this host'
  | 'too many from this network'
  | 'host connects too often'
  | 'too many strangers at once';

/** A connection, as far as the gate looks at it. */
export interface Guest {
  readonly id: string;
  /** Where it says that it comes from: believed from {@link ConnectionGate.admit} on. */
  readonly host: string;
  /** This node started it. */
  readonly outgoing: boolean;
  close(reason: string): void;
}

/** Where a connection comes from; undefined for what is exempt from all limits by place. */
interface Place {
  host: string;
  prefix: string;
}

/**
 * Decides who may connect: bans, places in total, per host and per network prefix, connections per host and second. When all
 * places are taken, a newcomer gets that of the guest who is of least use, if its own network holds fewer.
 *
 * Whoever calls says himself where from. Until he has shown that he is there, he is in nobody's way: nothing is counted against
 * the host that he names, he has no place, and puts out nobody but those who are no further than he is.
 */
export class ConnectionGate {
  readonly #limits: Limits;
  readonly #bans: BanList;
  readonly #now: () => number;
  readonly #arrivals = new BucketMap();
  readonly #knows: (nodeId: string) => boolean;
  readonly #knocks: Knocks;
  readonly #brought = new BucketMap();
  /** Handshakes of those who are known, by node: who has seen one can send it again. */
  readonly #known = new BucketMap();
  readonly #blame: PlaceBlame;
  readonly #use = new DecayingWeights(USE_HALF_LIFE_MS, MAX_KNOWN);
  /** Who has not shown yet where he is, first come first: strangers, and whom this node knows; neither puts out the other. */
  readonly #unproven = new Set<Guest>();
  readonly #unprovenKnown = new Set<Guest>();
  /** Who is in, since when, and from where. */
  readonly #guests = new Map<Guest, { place: Place | undefined; since: number }>();

  /**
   * @param now milliseconds
   * @param knows whether a node has served this one so much that it is none of the many; asked at each handshake. Default: nobody is known
   */
  constructor(limits: Limits, bans: BanList, now: () => number, knows: (nodeId: string) => boolean = () => false) {
    this.#limits = limits;
    this.#bans = bans;
    this.#now = now;
    this.#knows = knows;
    this.#knocks = new Knocks(limits.unprovenPerSecond, limits.unprovenBurst, now());
    this.#blame = new PlaceBlame(now);
  }

  /** Asked before a handshake is read. @param host where the packet came from, which may be a relay */
  mayBring(host: string): boolean {
    if (!this.#placeOf(host)) return true;
    const now = this.#now();
    return this.#brought.get(host, BROUGHT, BROUGHT, now)?.take(1, now) ?? true;
  }

  /**
   * Asked before anything is set up for a handshake from outside. It counts against no host, but what has been counted against
   * the one that is named holds. Who has served this node, or been of use lately, never waits for strangers.
   */
  refusesHandshake(nodeId: string, host: string | undefined): GateReason | undefined {
    const place = this.#placeOf(host);
    const reason = this.#refuses(nodeId, place) ?? this.#room(place, false).reason;
    if (reason) return reason;
    if (place && !this.#mayKnock(place)) return 'host connects too often';
    const isTaken = this.#isExpected(nodeId) || this.#knocks.take(host ?? '', this.#now());
    return isTaken ? undefined : 'too many strangers at once';
  }

  /**
   * With whom a connection that has shown where it is shares what all may have here: with those of its network; of a home or an office,
   * with those of its host; what is exempt has a share of its own.
   */
  crowdOf({ id, host }: Guest): string {
    const place = this.#placeOf(host);
    if (!place) return id;
    return isLocalNetwork(host) ? host : place.prefix;
  }

  /** Lets a connection that stands wait for its proof; a reason means that it must go. */
  enter(guest: Guest): GateReason | undefined {
    if (this.#bans.find(guest.id)) return 'banned';
    const unproven = this.#isKnown(guest.id) ? this.#unprovenKnown : this.#unproven;
    const [oldest, ...others] = [...unproven].filter(({ outgoing }) => !outgoing);
    if (oldest && !guest.outgoing && others.length + 1 >= this.#limits.unproven) {
      unproven.delete(oldest);
      oldest.close('others came before it had shown where it is');
    }
    unproven.add(guest);
    return undefined;
  }

  /** The other end has shown that it is where it says: it gets a place. A reason means that there is none and it must go. */
  admit(guest: Guest): GateReason | undefined {
    this.#forget(guest);
    const place = this.#placeOf(guest.host);
    if (place && !guest.outgoing && !this.#knock(place)) return 'host connects too often';
    const refusal = this.#refuses(guest.id, place);
    if (refusal) return refusal;
    const { reason, evicts } = this.#room(place, guest.outgoing);
    if (reason) return reason;
    if (evicts) {
      this.#guests.delete(evicts);
      evicts.close('its place went to another');
    }
    this.#guests.set(guest, { place, since: this.#now() });
    return undefined;
  }

  /** A connection ended, whether or not it had a place. */
  leave(guest: Guest): void {
    this.#forget(guest);
    this.#guests.delete(guest);
  }

  /** A node was of use: a request was answered and paid for. */
  useful(nodeId: string): void {
    this.#use.add(nodeId, 1, this.#now());
  }

  /** An offence weighs on where it came from, too; only where that is proven. */
  blame(host: string, offence: Offence): void {
    if (this.#placeOf(host)) this.#blame.report(host, offence);
  }

  #forget(guest: Guest): void {
    this.#unproven.delete(guest);
    this.#unprovenKnown.delete(guest);
  }

  #placeOf(host: string | undefined): Place | undefined {
    if (host === undefined || (this.#limits.exemptLoopback && isLoopback(host))) return undefined;
    return { host, prefix: networkPrefix(host) };
  }

  #mayKnock({ host, prefix }: Place): boolean {
    const now = this.#now();
    const isWornOut = (key: string) => (this.#arrivals.peek(key)?.waitMs(1, now) ?? 0) > 0;
    return !isWornOut(host) && (isLocalNetwork(host) || !isWornOut(prefix));
  }

  /** Counts a connection of the host. @returns false when it was one too many */
  #knock({ host, prefix }: Place): boolean {
    const now = this.#now();
    const { handshakesPerSecond: rate, handshakeBurst: burst } = this.#limits;
    const ofHost = this.#arrivals.get(host, rate, burst, now);
    if (!ofHost?.take(1, now)) return false;
    if (isLocalNetwork(host)) return true;
    const ofPrefix = this.#arrivals.get(prefix, rate * PREFIX_HANDSHAKES, burst * PREFIX_HANDSHAKES, now);
    return ofPrefix?.take(1, now) ?? false;
  }

  /** Bans and limits by place. Who has been of use is let in for all that its neighbours did. */
  #refuses(nodeId: string, place: Place | undefined): GateReason | undefined {
    if (this.#bans.find(nodeId)) return 'banned';
    if (!place) return undefined;
    if (this.#blame.isBanned(place.host) && !this.#isOfUse(nodeId)) return 'banned host or network';
    const most = this.#limits.connectionsPerHost;
    if (this.#count(({ host }) => host === place.host) >= most) return 'too many from this host';
    if (isLocalNetwork(place.host)) return undefined;
    const mostOfPrefix = most * PREFIX_CONNECTIONS;
    return this.#count(({ prefix }) => prefix === place.prefix) >= mostOfPrefix
      ? 'too many from this network'
      : undefined;
  }

  /** Whether there is a place, and whose it would be. */
  #room(place: Place | undefined, outgoing: boolean): { reason?: GateReason; evicts?: Guest } {
    const { connections } = this.#limits;
    const incoming = [...this.#guests.keys()].filter((guest) => !guest.outgoing).length;
    const strangers = connections - Math.floor(connections * OWN_PLACES);
    if (this.#guests.size < connections && (outgoing || incoming < strangers)) return {};
    const evicts = place && this.#leastUseful(place, outgoing);
    return evicts ? { evicts } : { reason: 'too many connections' };
  }

  /**
   * Of those whose network holds two places more than the newcomer's, or who have sat idle and hold one more, who was of
   * least use; then one of the fullest network; then the latest. What is exempt is never evicted.
   */
  #leastUseful(newcomer: Place, outgoing: boolean): Guest | undefined {
    const now = this.#now();
    const crowds = this.#crowds();
    const mine = crowds.get(newcomer.prefix) ?? 0;
    const candidates = [...this.#guests].flatMap(([guest, { place, since }]) => {
      if (!place || (guest.outgoing && !outgoing)) return [];
      const use = this.#isOfUse(guest.id) ? this.#use.of(guest.id, now) : 0;
      const crowd = crowds.get(place.prefix) ?? 0;
      const isIdle = use === 0 && now - since >= IDLE_MS;
      return crowd >= mine + 2 || (isIdle && crowd > mine) ? [{ guest, use, crowd, since }] : [];
    });
    candidates.sort((a, b) => a.use - b.use || b.crowd - a.crowd || b.since - a.since);
    return candidates[0]?.guest;
  }

  /** The caller's key is proven by the first message of the handshake, so nobody speaks for those who are known. */
  #isExpected(nodeId: string): boolean {
    if (!this.#isKnown(nodeId)) return false;
    const now = this.#now();
    const { handshakesPerSecond: rate, handshakeBurst: burst } = this.#limits;
    return this.#known.get(nodeId, rate, burst, now)?.take(1, now) ?? false;
  }

  #isKnown(nodeId: string): boolean {
    return this.#isOfUse(nodeId) || this.#knows(nodeId);
  }

  #isOfUse(nodeId: string): boolean {
    return this.#use.of(nodeId, this.#now()) >= OF_USE;
  }

  /** How many places each network holds. */
  #crowds(): Map<string, number> {
    const crowds = new Map<string, number>();
    for (const { place } of this.#guests.values()) {
      if (place) crowds.set(place.prefix, (crowds.get(place.prefix) ?? 0) + 1);
    }
    return crowds;
  }

  #count(matches: (place: Place) => boolean): number {
    let count = 0;
    for (const { place } of this.#guests.values()) if (place && matches(place)) count++;
    return count;
  }
}
