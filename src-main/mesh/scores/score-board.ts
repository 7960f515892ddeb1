import type { Logger } from 'pino';
import { z } from 'zod';
import { type Said, told, type Words } from '../../../src-preload/contract/saying.ts';
import { sayingSchema } from '../../../src-preload/contract/saying-schema.ts';
import type { Standing } from '../../credits/credits.ts';
import { dayOf, LATE_MS, NO_SCORE, scoreStateSchema } from '../../credits/score/score.ts';
import { tierOf } from '../../credits/tiers.ts';
import type { ScoreLogRow, ScoreStore } from '../../store/scores.ts';
import type { Falsehood, Proven } from './score-audit.ts';
import { type ScoreUpdate, type ScoreVerify, scoreUpdateSchema, scoreVerifySchema } from './score-messages.ts';

/** Distinct witnesses, besides this node and the worker, that a total needs before it counts for anything. */
const WITNESSES_NEEDED = 3;
/** Statements to keep about one worker; more of them prove nothing more. */
export const WITNESSES_KEPT = 8;
/** Workers whose logs are followed. */
const MAX_WORKERS = 2_000;
/** A log that has not moved for so long is forgotten, in milliseconds. */
const FORGET_AFTER_MS = 90 * 86_400_000;
/** How long a worker that was found out stays a newcomer, in milliseconds. */
const MARK_MS = 30 * 86_400_000;

/** Entries at the end of a log that claims on their way may be about. */
const SPOKEN_OF = 1_000;

const NEWCOMER: Standing = { points: 0, tier: 'newcomer' };

/** A worker that was found out. Times are Unix milliseconds. */
export interface Mark {
  worker: string;
  reason: Falsehood;
  /** What was found, as a clause. */
  detail: string;
  said?: Said;
  at: number;
  expiresAt: number;
}

/** All that is known of one worker's score. */
export interface Followed {
  readonly worker: string;
  readonly logKey: string;
  /** How far the log has been checked by this node itself. */
  proven: Proven;
  /** The newest claim that the log bore out. */
  claim: ScoreUpdate | undefined;
  /** Witnesses' newest statements that the log bore out, by witness. */
  readonly witnesses: Map<string, ScoreVerify>;
  /** Those of them that are known to have dealt with others than the worker. */
  readonly dealers: Set<string>;
  /** Points that count for the queue. */
  confirmed: number;
}

/**
 * Totals of other workers, as far as they count here. What the queue asks for is answered from memory; what was proven is
 * in the database, so that a restart starts from there.
 */
export class ScoreBoard {
  readonly #store: ScoreStore;
  readonly #self: string;
  readonly #now: () => number;
  readonly #log: Logger;
  readonly #followed = new Map<string, Followed>();
  readonly #marks = new Map<string, Mark>();

  constructor(options: { store: ScoreStore; self: string; now: () => number; log: Logger }) {
    this.#store = options.store;
    this.#self = options.self;
    this.#now = options.now;
    this.#log = options.log;
  }

  /** Loads what earlier processes had proven. */
  async open(): Promise<void> {
    await this.#store.pruneLogs(this.#now() - FORGET_AFTER_MS);
    await this.#store.pruneMarks(this.#now());
    for (const row of await this.#store.marks()) {
      const { worker, reason, at, expires_at } = row;
      const found = told({ detail: keptWords(row.detail) });
      this.#marks.set(worker, { worker, reason: reason as Falsehood, ...found, at, expiresAt: expires_at });
    }
    for (const row of await this.#store.logs()) this.#followed.set(row.worker, fromRow(row));
    for (const { worker, statement } of await this.#store.witnesses()) {
      const verify = scoreVerifySchema.parse(JSON.parse(statement));
      this.#followed.get(worker)?.witnesses.set(verify.from, verify);
    }
    await this.confirmAll();
  }

  get followed(): Iterable<Followed> {
    return this.#followed.values();
  }

  /** Keys of the logs, those first that are of least use here: of liars, of workers of whom nothing is proven or confirmed. */
  leastUseful(): string[] {
    const rank = (one: Followed) => [this.mark(one.worker) ? 0 : 1, one.confirmed, one.proven.state.total];
    const ranked = [...this.#followed.values()].map((one) => ({ key: one.logKey, rank: rank(one) }));
    return ranked.sort((a, b) => compared(a.rank, b.rank)).map(({ key }) => key);
  }

  find(worker: string): Followed | undefined {
    return this.#followed.get(worker);
  }

  /** The worker's entry, made at its first claim. When there are too many, one that counts for nothing makes room. */
  follow(worker: string, logKey: string): Followed {
    const known = this.#followed.get(worker);
    if (known) return known;
    if (this.#followed.size >= MAX_WORKERS) this.#forgetOne();
    const followed = emptyEntry(worker, logKey, { seq: 0, state: NO_SCORE }, undefined);
    this.#followed.set(worker, followed);
    return followed;
  }

  /** Forgets a worker of whom nothing was ever proven. @returns its log's key */
  forget(worker: string): string | undefined {
    const followed = this.#followed.get(worker);
    if (!followed || followed.proven.seq > 0 || worker === this.#self) return undefined;
    this.#followed.delete(worker);
    return followed.logKey;
  }

  /** Points and tier that count here: 0 for a stranger, and for one that was found out. */
  standing(worker: string): Standing {
    const points = this.#followed.get(worker)?.confirmed ?? 0;
    return points === 0 || this.mark(worker) ? NEWCOMER : { points, tier: tierOf(points) };
  }

  /** The mark in force, if any. */
  mark(worker: string): Mark | undefined {
    const mark = this.#marks.get(worker);
    return mark && mark.expiresAt > this.#now() ? mark : undefined;
  }

  /** Workers that were found out and why. */
  marks(): Mark[] {
    return [...this.#marks.values()].filter(({ worker }) => this.mark(worker));
  }

  /** A worker was found out: it is a newcomer for thirty days, and its word as a witness is worth nothing. */
  async condemn(worker: string, reason: Falsehood, detail: Words, evidence: unknown): Promise<void> {
    const at = this.#now();
    const found = told({ detail });
    const mark = { worker, reason, ...found, at, expiresAt: at + MARK_MS };
    this.#marks.set(worker, mark);
    this.#log.warn({ worker, reason, detail: found.detail }, 'a worker’s score is false: it counts as a newcomer');
    const kept = { detail: JSON.stringify(detail), evidence: JSON.stringify(evidence) };
    await this.#store.putMark({ worker, reason, ...kept, at, expires_at: mark.expiresAt });
    await this.confirmAll();
  }

  /** Keeps how far a log was checked, and the entries that this rests on. */
  async advance(followed: Followed, proven: Proven, entries: Parameters<ScoreStore['advance']>[0]): Promise<void> {
    const [before, { latest }] = [followed.proven.state.latest, proven.state];
    followed.proven = proven;
    await this.#store.advance(entries, this.#toRow(followed));
    if (dayOf(latest) === dayOf(before)) return;
    // Claims that are still spoken of are about the last entries; nothing older counts again.
    await this.#store.trim(followed.worker, proven.seq - SPOKEN_OF, dayOf(latest - LATE_MS));
  }

  /** Keeps a claim that the log bore out. */
  async accept(followed: Followed, claim: ScoreUpdate): Promise<void> {
    if (followed.claim && followed.claim.seq >= claim.seq) return;
    followed.claim = claim;
    await this.#store.putLog(this.#toRow(followed));
  }

  /**
   * Keeps a statement about a claim that the log bore out.
   *
   * @returns whether it was news: the witness said less before, and there is room for it
   */
  async witness(followed: Followed, statement: ScoreVerify): Promise<boolean> {
    const { witnesses } = followed;
    const before = witnesses.get(statement.from);
    if (before && before.claim.seq >= statement.claim.seq) return false;
    if (!before && witnesses.size >= WITNESSES_KEPT) {
      // The word of one that is no fit witness makes room first: keys that never dealt with anyone cost nothing.
      const isFit = await this.#isFit(statement.from, followed);
      const unfit = [...witnesses.values()].filter(({ from }) => !followed.dealers.has(from));
      if (!isFit && unfit.length === 0) return false;
      const replaceable = unfit.length > 0 ? unfit : [...witnesses.values()];
      const weakest = replaceable.reduce((a, b) => (a.claim.seq <= b.claim.seq ? a : b));
      const isStronger = isFit && unfit.length > 0;
      if (!isStronger && weakest.claim.seq >= statement.claim.seq) return false;
      witnesses.delete(weakest.from);
      followed.dealers.delete(weakest.from);
      await this.#store.removeWitness(followed.worker, weakest.from);
    }
    witnesses.set(statement.from, statement);
    const row = { worker: followed.worker, witness: statement.from, statement: JSON.stringify(statement) };
    await this.#store.putWitness(row);
    return true;
  }

  /** Works out anew what counts: who is a fit witness changes with every log that is checked. */
  async confirmAll(): Promise<void> {
    for (const followed of this.#followed.values()) await this.confirm(followed);
  }

  /**
   * The total that at least three fit witnesses confirm, and that this node has proven itself: the third-newest of their
   * claims; less if failures have come since. Below three it is nothing.
   */
  async confirm(followed: Followed): Promise<void> {
    const claims: ScoreUpdate[] = [];
    if (followed.witnesses.size >= WITNESSES_NEEDED) {
      for (const { from, claim } of followed.witnesses.values()) {
        if (await this.#isFit(from, followed)) claims.push(claim);
      }
    }
    const weakest = claims.sort((a, b) => b.seq - a.seq)[WITNESSES_NEEDED - 1];
    followed.confirmed = weakest ? Math.min(weakest.total, followed.proven.state.total) : 0;
  }

  /** A witness must be someone else, not a liar, and known to have served or asked others than the worker. */
  async #isFit(witness: string, { worker, dealers }: Followed): Promise<boolean> {
    if (witness === worker || witness === this.#self || this.mark(witness)) return false;
    if (!dealers.has(witness) && (await this.#store.hasDealt(witness, worker))) dealers.add(witness);
    return dealers.has(witness);
  }

  #forgetOne(): void {
    const entries = [...this.#followed.values()].filter(({ worker }) => worker !== this.#self);
    const unproven = entries.find(({ proven }) => proven.seq === 0);
    const least = unproven ?? entries.find(({ confirmed }) => confirmed === 0) ?? entries[0];
    if (!least) return;
    this.#followed.delete(least.worker);
    this.#store.removeLog(least.worker).catch((error: unknown) => {
      this.#log.error({ err: error, worker: least.worker }, 'a score log could not be forgotten');
    });
  }

  #toRow({ worker, logKey, proven, claim }: Followed): ScoreLogRow {
    return {
      worker,
      log_key: logKey,
      seq: proven.seq,
      state: JSON.stringify(proven.state),
      claim: claim ? JSON.stringify(claim) : null,
      updated_at: this.#now(),
    };
  }
}

/** What a mark says, as it is kept: the JSON of its words. What no JSON is, was written as it reads. */
function keptWords(detail: string): Words {
  try {
    return z.union([z.string(), sayingSchema]).parse(JSON.parse(detail));
  } catch {
    return detail; // an older Quarry kept the sentence alone
  }
}

/** Field by field. */
function compared(a: readonly number[], b: readonly number[]): number {
  return a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function fromRow(row: ScoreLogRow): Followed {
  const proven = { seq: row.seq, state: scoreStateSchema.parse(JSON.parse(row.state)) };
  const claim = row.claim === null ? undefined : scoreUpdateSchema.parse(JSON.parse(row.claim));
  return emptyEntry(row.worker, row.log_key, proven, claim);
}

function emptyEntry(worker: string, logKey: string, proven: Proven, claim: ScoreUpdate | undefined): Followed {
  return { worker, logKey, proven, claim, witnesses: new Map(), dealers: new Set(), confirmed: 0 };
}
