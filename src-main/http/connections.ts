import type { Socket } from 'node:net';
import { isLoopback } from '../base/loopback.ts';
import { addressPlace } from '../base/network-prefix.ts';

/** Of the places for strangers, one address may take so many. */
const SHARE = 1 / 4;
/** Of all places, so many are kept for those who use what is open to all; the rest is for who is known, and who may yet say so. */
const OPEN_SHARE = 1 / 2;

/**
 * Who is at the other end of a connection: a stranger, who may yet say who he is; somebody who uses what is open to everybody;
 * or somebody known, by a token or a login.
 */
type Standing = 'stranger' | 'open' | 'known';

/** As much of a connection as tells which it is, plain or within TLS. */
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

interface Guest {
  socket: Socket;
  place: string;
  isLocal: boolean;
  standing: Standing;
  /** Requests that are not answered yet. */
  asking: number;
}

/**
 * The connections of a server: so many from this machine, and as many from elsewhere. One too many is never simply turned away,
 * or whoever holds all places would lock everybody out: it takes the place of the stranger's connection that has been there
 * longest, of the address with the most. Who is known makes room for nobody. Who uses what is open to all makes room only for
 * others who do, once they have their share, and while nothing is asked: all programs of this machine come from one address, and
 * what any of them may hold without a token must leave room for its owner.
 */
export class Connections {
  readonly #most: number;
  /** By address and port; the oldest first, and of those in the open those that have been quiet for longest. */
  readonly #guests = new Map<string, Guest>();

  /** @param most from this machine, and again from elsewhere */
  constructor(most: number) {
    this.#most = most;
  }

  add(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const isLocal = isLoopback(remoteAddress);
    const guest: Guest = { socket, place: addressPlace(remoteAddress), isLocal, standing: 'stranger', asking: 0 };
    if (!this.#makeRoom(guest)) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    this.#guests.set(key, guest);
    socket.once('close', () => this.#guests.get(key) === guest && this.#guests.delete(key));
  }

  /** Whoever is at the other end is known: nobody takes its place from now on. */
  keep(peer: Peer): void {
    const guest = this.#guests.get(keyOf(peer));
    if (guest) guest.standing = 'known';
  }

  /** Whoever is at the other end uses what is open to everybody. Without a place among those it stays a stranger, and is served. */
  admit(peer: Peer): void {
    const guest = this.#guests.get(keyOf(peer));
    if (guest?.standing !== 'stranger') return;
    const open = this.#besides(guest).filter(({ standing }) => standing === 'open');
    if (open.length < Math.floor(this.#most * OPEN_SHARE) || endOneOf(open.filter(isQuiet))) guest.standing = 'open';
  }

  /** Something is asked over the connection. @returns what is called when it is answered, or nobody waits for that any more */
  asked(peer: Peer): () => void {
    const key = keyOf(peer);
    const guest = this.#guests.get(key);
    if (!guest) return () => undefined;
    guest.asking++;
    return () => {
      guest.asking--;
      if (guest.standing !== 'open' || this.#guests.get(key) !== guest) return;
      this.#guests.delete(key);
      this.#guests.set(key, guest);
    };
  }

  /** Ends all. */
  destroy(): void {
    for (const { socket } of this.#guests.values()) socket.destroy();
  }

  #makeRoom(guest: Guest): boolean {
    const pool = this.#besides(guest);
    const crowd = pool.filter(({ place }) => place === guest.place);
    if (!guest.isLocal && crowd.length >= this.#most * SHARE) return endOneOf(crowd.filter(isStranger));
    if (pool.length < this.#most || endOneOf(pool.filter(isStranger))) return true;
    // Of those who are known there are so many that the others have to make room: who comes may be known too.
    const open = pool.filter(({ standing }) => standing === 'open');
    return endOneOf(open.filter(isQuiet)) || endOneOf(open);
  }

  /** One that was ended gives its place up at once; its end comes to us a turn later, and many may come in one. */
  #besides(guest: Guest): Guest[] {
    return [...this.#guests.values()].filter(
      (other) => other !== guest && other.isLocal === guest.isLocal && !other.socket.destroyed,
    );
  }
}

function isStranger({ standing }: Guest): boolean {
  return standing === 'stranger';
}

function isQuiet({ asking }: Guest): boolean {
  return asking === 0;
}

/** Ends the first of the address with the most. @returns false when there is none */
function endOneOf(guests: Guest[]): boolean {
  const byPlace = Map.groupBy(guests, ({ place }) => place).values();
  const [most] = [...byPlace].sort((a, b) => b.length - a.length);
  most?.[0]?.socket.destroy();
  return most !== undefined;
}

function keyOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}
