import { randomToken } from './random-token.ts';

/** Whether whoever was given a ticket may still be here: a login may have ended. */
export type Lasts = () => boolean;

/** A video that is looked at for longer needs another ticket. */
const VALID_MS = 60 * 60_000;
/** The oldest give way. */
const MOST = 200;

/**
 * Tickets to files, videos of recordings or what was exported: who has one may fetch it, as a link or a `<video>` does, which bring no token along. Each has 256 random bits, and none outlives the
 * node, nor the login of who was given it.
 */
export class Tickets {
  readonly #now: () => number;
  readonly #path: string;
  readonly #held = new Map<string, { subject: string; expiresAt: number; lasts: Lasts }>();

  /** @param now Unix milliseconds @param path where they are handed in, on the node’s own address */
  constructor(now: () => number, path: string) {
    this.#now = now;
    this.#path = path;
  }

  /**
   * @param subject what it is for: an id, or the path of a file
   * @param lasts asked at each use. Default: it does
   */
  give(subject: string, lasts: Lasts = () => true): { path: string; expiresAt: number } {
    const [ticket, expiresAt] = [randomToken(), this.#now() + VALID_MS];
    this.#held.set(ticket, { subject, expiresAt, lasts });
    for (const old of [...this.#held.keys()].slice(0, -MOST)) this.#held.delete(old);
    return { path: `${this.#path}/${ticket}`, expiresAt };
  }

  /** @returns what a ticket is for; undefined for one that is not valid */
  subjectOf(ticket: string): string | undefined {
    const held = this.#held.get(ticket);
    if (held && held.expiresAt > this.#now() && held.lasts()) return held.subject;
    this.#held.delete(ticket);
    return undefined;
  }
}
