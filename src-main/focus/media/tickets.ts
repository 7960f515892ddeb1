import { FOCUS_VIDEO_PATH } from '../../../src-preload/contract/focus-limits.ts';
import { randomToken } from '../../base/random-token.ts';

/** Whether whoever was given a ticket may still be here: a login may have ended. */
export type Lasts = () => boolean;

/** A video that is looked at for longer needs another. */
const VALID_MS = 60 * 60_000;
/** The oldest give way. */
const MOST = 200;

/**
 * Tickets to videos, of recordings or of exported files: who has one may fetch it, as a `<video>` does, which brings no token along. Each has 256 random bits, and none outlives the
 * node, nor the login of who was given it.
 */
export class Tickets {
  readonly #now: () => number;
  readonly #held = new Map<string, { subject: string; expiresAt: number; lasts: Lasts }>();

  /** @param now Unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param subject what it is for: the id of a recording, or the path of a file
   * @param lasts asked at each use. Default: it does
   */
  give(subject: string, lasts: Lasts = () => true): { path: string; expiresAt: number } {
    const [ticket, expiresAt] = [randomToken(), this.#now() + VALID_MS];
    this.#held.set(ticket, { subject, expiresAt, lasts });
    for (const old of [...this.#held.keys()].slice(0, -MOST)) this.#held.delete(old);
    return { path: `${FOCUS_VIDEO_PATH}/${ticket}`, expiresAt };
  }

  /** @returns what a ticket is for; undefined for one that is not valid */
  subjectOf(ticket: string): string | undefined {
    const held = this.#held.get(ticket);
    if (held && held.expiresAt > this.#now() && held.lasts()) return held.subject;
    this.#held.delete(ticket);
    return undefined;
  }
}
