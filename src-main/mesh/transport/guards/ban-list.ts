import type { Logger } from 'pino';
import { backOffMs } from '../../../base/back-off.ts';
import { DecayingWeights } from '../../../base/decaying-weights.ts';
import { ListenerSet } from '../../../base/listener-set.ts';
import { Turns } from '../../../base/turns.ts';
import type { Ban, BanStore } from '../../../store/mesh/bans.ts';
import { QuietLog } from './refusals.ts';

/** Milliseconds in which bans for one reason are logged once: a crowd must not push everything else out of the log. */
const QUIET_MS = 1_000;

/** What a peer did wrong, and how heavily it weighs: at 100 within ten minutes it is banned. */
export const OFFENCES = {
  'no hello': 20,
  'wrong proof': 30,
  'protocol error': 60,
  'too many frames': 60,
  'too many bytes': 60,
  'wrong signature': 100,
  replay: 40,
  'false claim': 60,
  'void receipt': 30,
  'too many receipts': 60,
  'too many vouchers': 60,
} as const;
export type Offence = keyof typeof OFFENCES;

export const BAN_AT = 100;
/** Milliseconds in which an offence's weight halves. */
export const HALF_LIFE_MS = 600_000;
const BAN = { firstMs: 600_000, longestMs: 86_400_000 };
/** A ban this long ago no longer makes the next one longer. */
const MEMORY_MS = 7 * 86_400_000;
const MAX_SUSPECTS = 10_000;
const MAX_BANS = 100_000;
/** Milliseconds in which bans are gathered: each write waits for the disk, and of a crowd hundreds are banned. */
const WRITE_EVERY_MS = 1_000;

/**
 * Bans by node: in memory, because the firewall must answer at once, and on disk, because a restart is no amnesty; a node that is
 * killed forgets those of its last second. A resource: close it.
 */
export class BanList {
  readonly #store: Pick<BanStore, 'load' | 'write' | 'prune'> | undefined;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #quiet: QuietLog;
  readonly #bans = new Map<string, Ban>();
  readonly #suspects = new DecayingWeights(HALF_LIFE_MS, MAX_SUSPECTS);
  readonly #listeners = new ListenerSet<[nodeId: string]>();
  #unwritten = new Map<string, Ban | undefined>();
  #timer: NodeJS.Timeout | undefined;
  readonly #writing = new Turns();

  /** @param options.store default: bans are forgotten at the end of the process */
  constructor(options: {
    store?: Pick<BanStore, 'load' | 'write' | 'prune'>;
    log: Logger;
    now?: () => number;
  }) {
    this.#store = options.store;
    this.#log = options.log;
    this.#now = options.now ?? Date.now;
    this.#quiet = new QuietLog(QUIET_MS, this.#now);
  }

  async open(): Promise<void> {
    const since = this.#now() - MEMORY_MS;
    await this.#store?.prune(since);
    for (const ban of (await this.#store?.load(since)) ?? []) this.#bans.set(ban.nodeId, ban);
  }

  /** The ban in force, if any. Synchronous: from memory. */
  find(nodeId: string): Ban | undefined {
    const ban = this.#bans.get(nodeId);
    return ban && ban.expiresAt > this.#now() ? ban : undefined;
  }

  list(): Ban[] {
    const now = this.#now();
    return [...this.#bans.values()].filter((ban) => ban.expiresAt > now);
  }

  /** Notes an offence; true when the node is banned. What was still on its way when the ban came makes it no longer. */
  report(nodeId: string, offence: Offence): boolean {
    if (this.find(nodeId)) return true;
    if (this.#suspects.add(nodeId, OFFENCES[offence], this.#now()) < BAN_AT) return false;
    this.#suspects.forget(nodeId);
    this.ban(nodeId, offence);
    return true;
  }

  /**
   * Bans a node. Without a duration: 10 minutes the first time, then twice as long each time, up to a day.
   *
   * @param durationMs milliseconds
   */
  ban(nodeId: string, reason: string, durationMs?: number): Ban {
    const now = this.#now();
    const times = (this.#bans.get(nodeId)?.times ?? 0) + 1;
    const length = durationMs ?? backOffMs(times, BAN);
    const ban = { nodeId, reason, bannedAt: now, expiresAt: now + length, times };
    this.#bans.delete(nodeId);
    if (this.#bans.size >= MAX_BANS) dropOldest(this.#bans);
    this.#bans.set(nodeId, ban);
    this.#tellLog(ban);
    this.#keep(nodeId, ban);
    this.#listeners.tell(nodeId);
    return ban;
  }

  /** Calls back with every node that is banned from now on. @returns what ends that */
  subscribe(listener: (nodeId: string) => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  lift(nodeId: string): void {
    this.#suspects.forget(nodeId);
    if (this.#bans.delete(nodeId)) this.#keep(nodeId, undefined);
  }

  /** Writes what was not written yet. Idempotent. */
  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#write();
  }

  #tellLog({ nodeId, reason, expiresAt }: Ban): void {
    const suppressed = this.#quiet.due(reason);
    if (suppressed === undefined) return;
    this.#log.warn({ peer: nodeId, reason, until: new Date(expiresAt).toISOString(), suppressed }, 'peer banned');
  }

  #keep(nodeId: string, ban: Ban | undefined): void {
    if (!this.#store) return;
    this.#unwritten.set(nodeId, ban);
    this.#timer ??= setTimeout(() => void this.#write(), WRITE_EVERY_MS);
  }

  /** One write after the other: the later word counts. */
  #write(): Promise<void> {
    const changes = this.#unwritten;
    this.#unwritten = new Map();
    this.#timer = undefined;
    if (changes.size > 0) void this.#writing.take(() => this.#put(changes));
    return this.#writing.ended();
  }

  async #put(changes: ReadonlyMap<string, Ban | undefined>): Promise<void> {
    try {
      await this.#store?.write(changes);
    } catch (error) {
      this.#log.error({ err: error }, 'the ban list could not be written');
    }
  }
}

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
