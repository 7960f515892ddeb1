import type { Socket } from 'node:net';
import { isLoopback } from '../base/loopback.ts';
import { addressPlace } from '../base/network-prefix.ts';

/** Of the places for strangers, one address may take so many. */
const SHARE = 1 / 4;

/** As much of a connection as tells which it is, plain or within TLS. */
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

interface Guest {
  socket: Socket;
  place: string;
  isLocal: boolean;
  /** Whoever is at the other end was let in. */
  kept: boolean;
}

/**
 * The connections of a server: so many from this machine, and as many from elsewhere. One too many is never simply turned away,
 * or whoever holds all places and says nothing would lock everybody out: it takes the place of the connection that has been
 * there longest, of the address with the most, among those that were not let in yet.
 */
export class Connections {
  readonly #most: number;
  /** By address and port; the oldest first. */
  readonly #guests = new Map<string, Guest>();

  /** @param most from this machine, and again from elsewhere */
  constructor(most: number) {
    this.#most = most;
  }

  add(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const guest = { socket, place: addressPlace(remoteAddress), isLocal: isLoopback(remoteAddress), kept: false };
    if (!this.#makeRoom(guest)) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    this.#guests.set(key, guest);
    socket.once('close', () => this.#guests.get(key) === guest && this.#guests.delete(key));
  }

  /** Whoever is at the other end has been let in: nobody takes its place from now on. */
  keep(peer: Peer): void {
    const guest = this.#guests.get(keyOf(peer));
    if (guest) guest.kept = true;
  }

  /** Ends all. */
  destroy(): void {
    for (const { socket } of this.#guests.values()) socket.destroy();
  }

  #makeRoom({ place, isLocal }: Guest): boolean {
    // One that was ended gives its place up at once; its end comes to us a turn later, and many may come in one.
    const pool = [...this.#guests.values()].filter((other) => other.isLocal === isLocal && !other.socket.destroyed);
    const crowd = pool.filter((other) => other.place === place);
    if (!isLocal && crowd.length >= this.#most * SHARE) return endOneOf(crowd);
    return pool.length < this.#most || endOneOf(pool);
  }
}

/** @returns false when all of them were let in */
function endOneOf(guests: Guest[]): boolean {
  const waiting = guests.filter(({ kept }) => !kept);
  const byPlace = Map.groupBy(waiting, ({ place }) => place).values();
  const [most] = [...byPlace].sort((a, b) => b.length - a.length);
  most?.[0]?.socket.destroy();
  return most !== undefined;
}

function keyOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}
