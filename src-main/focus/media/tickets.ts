import { FOCUS_VIDEO_PATH } from '../../../src-preload/contract/focus-limits.ts';
import { randomToken } from '../../base/random-token.ts';

/** A video that is looked at for longer needs another. */
const VALID_MS = 60 * 60_000;
/** The oldest give way. */
const MOST = 200;

/**
 * Tickets to videos, of recordings or of exported files: who has one may fetch it, as a `<video>` does, which brings no token along. Each has 256 random bits, and none outlives the
 * node.
 */
export class Tickets {
  readonly #now: () => number;
  readonly #held = new Map<string, { subject: string; expiresAt: number }>();

  /** @param now Unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param subject what it is for: the id of a recording, or the path of a file */
  give(subject: string): { path: string; expiresAt: number } {
    const [ticket, expiresAt] = [randomToken(), this.#now() + VALID_MS];
    this.#held.set(ticket, { subject, expiresAt });
    for (const old of [...this.#held.keys()].slice(0, -MOST)) this.#held.delete(old);
    return { path: `${FOCUS_VIDEO_PATH}/${ticket}`, expiresAt };
  }

  /** @returns what a ticket is for; undefined for one that is not valid */
  subjectOf(ticket: string): string | undefined {
    const { subject, expiresAt } = this.#held.get(ticket) ?? { expiresAt: 0 };
    return expiresAt > this.#now() ? subject : undefined;
  }
}
