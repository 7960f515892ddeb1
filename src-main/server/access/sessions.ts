import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { randomToken } from '../../base/random-token.ts';
import { sha256 } from '../../base/sha256.ts';
import { TaskSet } from '../../base/task-set.ts';
import type { WebSession, WebSessionStore } from '../../store/web-sessions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Milliseconds that a session lasts, whatever is done with it. */
export const SESSION_MS = 30 * DAY_MS;
/** Milliseconds after which a session ends that nobody uses. */
export const SESSION_IDLE_MS = 7 * DAY_MS;
/** Most sessions at a time; the one that was not used for longest makes room. */
export const MAX_SESSIONS = 100;
/** Milliseconds after which it is written down again that a session is used. */
const NOTE_USE_MS = HOUR_MS;

export interface SessionsOptions {
  /** Default: nowhere; they end with the process. */
  store?: Pick<WebSessionStore, 'load' | 'save'> | undefined;
  /** Stands for the tokens of the node: sessions that began under others are over. */
  realm: string;
  log: Logger;
  /** Unix milliseconds. */
  now?: () => number;
}

/**
 * Who has logged in from a browser. Of each id only a hash is kept. A session that was begun or ended is on the disk before
 * anybody is told. A resource.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #now: () => number;
  /** By the hash of their ids. */
  readonly #sessions = new LRUCache<string, WebSession>({ max: MAX_SESSIONS });
  readonly #writing = new TaskSet();
  /** When all of them were written last. */
  #savedAt = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Goes on with those that were kept, but for those that are over. */
  async open(): Promise<void> {
    const { store, realm } = this.#options;
    if (!store) return;
    const kept = await store.load();
    const now = this.#now();
    for (const session of kept.sort((a, b) => a.usedAt - b.usedAt)) {
      // What happened in the future happened now: a clock that is set back makes no session last longer.
      const [startedAt, usedAt] = [Math.min(session.startedAt, now), Math.min(session.usedAt, now)];
      if (session.realm === realm) this.#sessions.set(session.hash, { ...session, startedAt, usedAt });
    }
    this.#dropOver();
    if (this.#sessions.size < kept.length) await this.#save();
    this.#savedAt = now;
  }

  /** Writes down when each was used last. Idempotent. */
  async close(): Promise<void> {
    this.#noteUse();
    await this.#writing.ended();
  }

  /** @returns the new session's id: 256 random bits. One that cannot be written down lasts as long as the process. */
  async start(): Promise<string> {
    const id = randomToken();
    const key = hash(id);
    const now = this.#now();
    this.#sessions.set(key, { hash: key, realm: this.#options.realm, startedAt: now, usedAt: now });
    await this.#save().catch((err: unknown) => {
      this.#options.log.warn({ err }, 'a login cannot be written down: it ends with this node');
    });
    return id;
  }

  /** Whether the session lasts. To ask is to use it. */
  isLive(id: string | undefined): boolean {
    if (id === undefined || id.length > 64) return false;
    const session = this.#sessions.get(hash(id));
    if (!session) return false;
    const now = this.#now();
    if (isOver(session, now)) {
      this.#sessions.delete(session.hash);
      return false;
    }
    this.#sessions.set(session.hash, { ...session, usedAt: now });
    if (Math.abs(now - this.#savedAt) >= NOTE_USE_MS) this.#noteUse();
    return true;
  }

  /** It is over at once; the promise is for the disk. @throws when that cannot be written: it may be back after a restart */
  async end(id: string): Promise<void> {
    if (this.#sessions.delete(hash(id))) await this.#save();
  }

  #dropOver(): void {
    const now = this.#now();
    for (const session of [...this.#sessions.values()]) if (isOver(session, now)) this.#sessions.delete(session.hash);
  }

  #noteUse(): void {
    const saving = this.#save().catch((err: unknown) => {
      this.#options.log.warn({ err }, 'it cannot be written down that a login is used');
    });
    void this.#writing.add(saving);
  }

  async #save(): Promise<void> {
    this.#dropOver();
    this.#savedAt = this.#now();
    await this.#options.store?.save([...this.#sessions.values()]);
  }
}

function isOver({ startedAt, usedAt }: WebSession, now: number): boolean {
  return now - startedAt >= SESSION_MS || now - usedAt >= SESSION_IDLE_MS;
}

function hash(id: string): string {
  return sha256(id).toString('base64');
}
