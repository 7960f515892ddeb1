import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

const DAY_MS = 86_400_000;
/** Milliseconds that a session lasts, whatever is done with it. */
export const SESSION_MS = 30 * DAY_MS;
/** Milliseconds after which a session ends that nobody uses. */
export const SESSION_IDLE_MS = 7 * DAY_MS;
/** Most sessions at a time; the one that was not used for longest makes room. */
export const MAX_SESSIONS = 100;

interface Session {
  startedAt: number;
  usedAt: number;
}

/**
 * Who has logged in from a browser. Of each id only a hash is kept, in memory: a restart logs everybody out.
 *
 * @param now Unix milliseconds
 */
export class Sessions {
  readonly #now: () => number;
  /** By the hash of their ids. */
  readonly #sessions = new LRUCache<string, Session>({ max: MAX_SESSIONS });

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns the new session's id: 256 random bits */
  start(): string {
    const id = randomBytes(32).toString('base64url');
    const now = this.#now();
    this.#sessions.set(hash(id), { startedAt: now, usedAt: now });
    return id;
  }

  /** Whether the session lasts. To ask is to use it. */
  isLive(id: string | undefined): boolean {
    if (id === undefined || id.length > 64) return false;
    const key = hash(id);
    const session = this.#sessions.get(key);
    if (!session) return false;
    const now = this.#now();
    if (now - session.startedAt >= SESSION_MS || now - session.usedAt >= SESSION_IDLE_MS) {
      this.#sessions.delete(key);
      return false;
    }
    this.#sessions.set(key, { ...session, usedAt: now });
    return true;
  }

  end(id: string): void {
    this.#sessions.delete(hash(id));
  }
}

function hash(id: string): string {
  return createHash('sha256').update(id).digest('base64');
}

/** The cookie that holds a session's id. No script can read it, and no other site makes a browser send it. */
export class SessionCookie {
  readonly #name: string;
  readonly #options: { path: string; httpOnly: boolean; sameSite: 'strict'; secure: boolean };

  /** @param secure whether browsers reach the server over TLS */
  constructor(secure: boolean) {
    // A browser takes the prefix from this very host only, and only over TLS.
    this.#name = secure ? '__Host-quarry_session' : 'quarry_session';
    this.#options = { path: '/', httpOnly: true, sameSite: 'strict', secure };
  }

  read({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.#name];
  }

  write(reply: FastifyReply, id: string): void {
    reply.setCookie(this.#name, id, { ...this.#options, maxAge: SESSION_MS / 1000 });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#name, this.#options);
  }
}
