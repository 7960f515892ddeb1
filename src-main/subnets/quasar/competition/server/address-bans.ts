import { greatest } from '../../../../base/greatest.ts';
import { isLoopback } from '../../../../base/loopback.ts';
import { addressPlace } from '../../../../base/network-prefix.ts';
import { Turns } from '../../../../base/turns.ts';
import type { CompetitionGuards } from '../../../../store/competition/competition-guards.ts';
import type { AddressRow } from '../../../../store/competition/competition-tables.ts';
import { CompetitionProblem, notFound } from './competition-problem.ts';

/** Failures within a day that make a ban, and how long it and they last (QUASAR, A10). */
export const MOST_FAILURES = 5;
export const BAN_MS = 24 * 3_600_000;
/** Addresses that are remembered. */
const MOST_ADDRESSES = 10_000;

type Row = Omit<AddressRow, 'server'>;
type BanStore = Pick<CompetitionGuards, 'addresses' | 'putAddress' | 'removeAddress'>;

/**
 * Addresses that have signed falsely, or revealed what was not committed, five times: nobody gets in from there for a day. Of IPv6 a /48 is one address, as one owner
 * usually has it. Many may share an address; what comes from this machine is therefore never banned (a proxy that is not told of would ban everybody), and who is banned
 * without fault appeals to whoever runs it. All of it is on the disk before it counts.
 */
export class AddressBans {
  readonly #store: BanStore;
  readonly #now: () => number;
  readonly #rows: Map<string, Row>;
  readonly #turns = new Turns();

  private constructor(store: BanStore, now: () => number, rows: readonly Row[]) {
    this.#store = store;
    this.#now = now;
    this.#rows = new Map(rows.map((row) => [row.address, row]));
  }

  /** @param now Unix milliseconds */
  static async open(store: BanStore, now: () => number): Promise<AddressBans> {
    return new AddressBans(store, now, await store.addresses());
  }

  /** @throws CompetitionProblem BANNED */
  refuse(ip: string): void {
    const until = this.#bannedUntil(addressPlace(ip));
    if (until === undefined) return;
    const message = `This address is banned until ${new Date(until).toISOString()}. Whoever runs the competition can lift that: POST /appeals.`;
    throw new CompetitionProblem('BANNED', message, { retryAfterMs: until - this.#now() });
  }

  failed(ip: string): Promise<void> {
    return this.#turns.take(async () => {
      const address = addressPlace(ip);
      if (isLoopback(ip) || this.#bannedUntil(address) !== undefined || !(await this.#hasRoom(address))) return;
      const now = this.#now();
      const before = this.#rows.get(address);
      const counts = before && now - before.failed_at < BAN_MS && before.banned_until === 0;
      const failures = (counts ? before.failures : 0) + 1;
      await this.#put({
        ...{ address, failures, failed_at: now, banned_until: failures >= MOST_FAILURES ? now + BAN_MS : 0 },
        ...{ appeal: null, appealed_by: null, appealed_at: null },
      });
    });
  }

  /** What succeeds makes good what failed before it; a ban lasts. */
  succeeded(ip: string): Promise<void> {
    return this.#turns.take(async () => {
      const address = addressPlace(ip);
      if (this.#rows.has(address) && this.#bannedUntil(address) === undefined) await this.#remove(address);
    });
  }

  /** Once for each ban. @returns until when it lasts @throws CompetitionProblem NOT_FOUND, CONFLICT */
  appeal(ip: string, hotkey: string, note: string): Promise<number> {
    return this.#turns.take(async () => {
      const row = this.#rows.get(addressPlace(ip));
      if (!row || this.#bannedUntil(row.address) === undefined) throw notFound('ban');
      if (row.appeal !== null) throw new CompetitionProblem('CONFLICT', 'There is an appeal against this ban already.');
      await this.#put({ ...row, appeal: note, appealed_by: hotkey, appealed_at: this.#now() });
      return row.banned_until;
    });
  }

  /** @param address as {@link banned} has it, or one of its network @returns whether it was banned */
  lift(address: string): Promise<boolean> {
    return this.#turns.take(async () => {
      const place = this.#rows.has(address) ? address : addressPlace(address);
      const isBanned = this.#bannedUntil(place) !== undefined;
      if (isBanned) await this.#remove(place);
      return isBanned;
    });
  }

  banned(): Row[] {
    return [...this.#rows.values()].filter(({ address }) => this.#bannedUntil(address) !== undefined);
  }

  #bannedUntil(address: string): number | undefined {
    const until = this.#rows.get(address)?.banned_until ?? 0;
    return until > this.#now() ? until : undefined;
  }

  /** Room for one more: what is long ago is forgotten first, then who was never banned. */
  async #hasRoom(address: string): Promise<boolean> {
    if (this.#rows.has(address) || this.#rows.size < MOST_ADDRESSES) return true;
    const now = this.#now();
    const free = [...this.#rows.values()].filter(({ banned_until: until }) => until <= now);
    const [oldest] = greatest(free, 1, ({ failed_at: at }) => -at);
    if (oldest) await this.#remove(oldest.address);
    return oldest !== undefined;
  }

  async #put(row: Row): Promise<void> {
    await this.#store.putAddress(row);
    this.#rows.set(row.address, row);
  }

  async #remove(address: string): Promise<void> {
    await this.#store.removeAddress(address);
    this.#rows.delete(address);
  }
}
