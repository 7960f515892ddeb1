import type { Logger } from 'pino';
import type { Words } from '../../../src-preload/contract/saying.ts';
import type { Standing } from '../../credits/credits.ts';
import { dayOf, LATE_MS, NO_SCORE, scoreStateSchema } from '../../credits/score/score.ts';
import { tierOf } from '../../credits/tiers.ts';
import type { ScoreLogRow, ScoreStore } from '../../store/mesh/scores.ts';
import { Dealings } from './dealings.ts';
import type { Falsehood, Proven } from './score-audit.ts';
import { type Mark, ScoreMarks } from './score-marks.ts';
import { type ScoreUpdate, type ScoreVerify, scoreUpdateSchema, scoreVerifySchema } from './score-messages.ts';
import { ScoreSaver } from './score-saver.ts';

/** Distinct witnesses, besides this node and the worker, that a total needs before it counts for anything. */
const WITNESSES_NEEDED = 3;
/** Statements to keep about one worker; more of them prove nothing more. */
export const WITNESSES_KEPT = 8;
/** Workers whose logs are followed, and beside them those of whom nothing is proven yet. */
const MAX_PROVEN = 2_000;
const MAX_UNPROVEN = 1_024;
/** Workers looked at for one that can go. */
const LOOKED_AT = 64;
/** A log that has not moved for so long is forgotten, in milliseconds. */
const FORGET_AFTER_MS = 90 * 86_400_000;
/** Entries at the end of a log that claims on their way may be about. */
const SPOKEN_OF = 1_000;
/** Workers loaded in one go. */
const LOADED_AT_ONCE = 32;
/** Milliseconds from one look at this node's own receipts to the next: whoever has dealt with this node is a witness from then on. */
const LOOK_EVERY_MS = 2_000;
/** Milliseconds from one time that marks which are over are forgotten to the next. */
const PRUNE_EVERY_MS = 3_600_000;

const NEWCOMER: Standing = { points: 0, tier: 'newcomer' };

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
  /** Places of entries that are looked at for what can be forgotten, some each time that the log moves: each day anew. */
  trim: { after: number; upTo: number } | undefined;
}

export interface ScoreBoardOptions {
  store: ScoreStore;
  self: string;
  now: () => number;
  /** Default {@link LOOK_EVERY_MS}. */
  lookEveryMs?: number | undefined;
  log: Logger;
}

/**
 * Totals of other workers, as far as they count here. What the queue asks for is answered from memory, and worked out when it is asked for:
 * so no message costs more where more workers are followed. What was proven is in the database, so that a restart starts from there. A
 * resource: close it.
 */
export class ScoreBoard {
  readonly #options: ScoreBoardOptions;
  readonly #saver: ScoreSaver;
  readonly #marks: ScoreMarks;
  readonly #dealings: Dealings;
  readonly #proven = new Map<string, Followed>();
  /** Where {@link nextUnconfirmed} goes on. */
  #unconfirmed = this.#proven.values();
  /** Workers of whom nothing is proven yet; nothing of them is in the database. */
  readonly #unproven = new Map<string, Followed>();
  /** How many workers name a log as theirs. */
  readonly #logKeys = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #prunedAt = 0;

  constructor(options: ScoreBoardOptions) {
    const { store, now, log } = options;
    this.#options = options;
    this.#saver = new ScoreSaver(store, log);
    this.#marks = new ScoreMarks({ saver: this.#saver, now, isProven: (worker) => this.#proven.has(worker) });
    this.#dealings = new Dealings(store);
  }

  /** Loads what earlier processes had proven. */
  async open(): Promise<void> {
    const { store, now, lookEveryMs = LOOK_EVERY_MS } = this.#options;
    this.#prunedAt = now();
    await store.pruneLogs(now() - FORGET_AFTER_MS);
    await this.#marks.open(store);
    await this.#dealings.open();
    const rows = await store.logs();
    for (let start = 0; start < rows.length; start += LOADED_AT_ONCE) {
      await this.#load(rows.slice(start, start + LOADED_AT_ONCE));
      await new Promise(setImmediate);
    }
    this.#timer = setInterval(() => void this.#look(), lookEveryMs).unref();
  }

  /** Writes what waits to be written. Idempotent. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#saver.close();
  }

  /** Everyone of whom anything is known. */
  get followed(): IteratorObject<Followed> {
    return Iterator.from([this.#proven, this.#unproven]).flatMap((some) => some.values());
  }

  /** Whose logs are followed, those first that are of least use here: liars, workers of whom nothing is proven or confirmed. */
  leastUseful(): Followed[] {
    const rank = (one: Followed) => [this.mark(one.worker) ? 0 : 1, this.confirmed(one), one.proven.state.total];
    const ranked = [...this.followed].map((one) => ({ one, rank: rank(one) }));
    return ranked.sort((a, b) => compared(a.rank, b.rank)).map(({ one }) => one);
  }

  find(worker: string): Followed | undefined {
    return this.#proven.get(worker) ?? this.#unproven.get(worker);
  }

  /** Whether anybody names this log as its own. */
  follows(logKey: string): boolean {
    return this.#logKeys.has(logKey);
  }

  /** The worker's entry, made at its first claim. When there are too many, the oldest makes room of which nothing is proven. */
  follow(worker: string, logKey: string): Followed {
    const known = this.find(worker);
    if (known) return known;
    if (this.#unproven.size >= MAX_UNPROVEN) {
      const oldest = this.#unproven.values().find((one) => one.worker !== this.#options.self);
      if (oldest) this.#drop(oldest);
    }
    const followed = emptyEntry(worker, logKey, { seq: 0, state: NO_SCORE }, undefined);
    this.#keep(followed);
    return followed;
  }

  /** Forgets a worker of whom nothing was ever proven. @returns its log's key */
  forget(worker: string): string | undefined {
    const followed = this.#unproven.get(worker);
    if (!followed || worker === this.#options.self) return undefined;
    this.#drop(followed);
    return followed.logKey;
  }

  /** Points and tier that count here: 0 for a stranger, and for one that was found out. */
  standing(worker: string): Standing {
    const followed = this.#proven.get(worker);
    const points = followed ? this.confirmed(followed) : 0;
    return points === 0 || this.mark(worker) ? NEWCOMER : { points, tier: tierOf(points) };
  }

  /** The mark in force, if any. */
  mark(worker: string): Mark | undefined {
    return this.#marks.find(worker);
  }

  /** Workers that were found out and why. */
  marks(): Mark[] {
    return this.#marks.list();
  }

  /** A worker was found out: it is a newcomer for thirty days, and its word as a witness is worth nothing. */
  condemn(worker: string, reason: Falsehood, detail: Words, evidence: unknown): void {
    const mark = this.#marks.add(worker, reason, detail, evidence);
    // Of throw-away keys there may be hundreds a second: nobody reads that.
    const level = this.#proven.has(worker) ? 'warn' : 'debug';
    const found = { worker, reason, detail: mark.detail };
    this.#options.log[level](found, 'a worker’s score is false: it counts as a newcomer');
  }

  /** Keeps how far a log was checked, and the entries that this rests on. */
  async advance(followed: Followed, proven: Proven, entries: Parameters<ScoreStore['advance']>[0]): Promise<void> {
    const { store } = this.#options;
    if (this.find(followed.worker) !== followed) return; // it had to make room meanwhile
    const [before, { latest }] = [followed.proven.state.latest, proven.state];
    await store.advance(entries, this.#toRow(followed, proven));
    followed.proven = proven;
    if (proven.seq > 0 && this.#unproven.delete(followed.worker)) this.#keepProven(followed);
    for (const { worker, client } of entries) if (client !== null) this.#dealings.note(worker, client);
    // Claims that are still spoken of are about the last entries; nothing older counts again.
    const upTo = followed.trim?.upTo ?? proven.seq - SPOKEN_OF;
    if (dayOf(latest) !== dayOf(before) && upTo > 0) followed.trim ??= { after: 0, upTo };
    if (!followed.trim) return;
    const after = await store.trim(followed.worker, followed.trim, dayOf(latest - LATE_MS));
    followed.trim = after < upTo ? { after, upTo } : undefined;
  }

  /** Keeps a claim that the log bore out. */
  accept(followed: Followed, claim: ScoreUpdate): void {
    const { worker } = followed;
    if (followed.claim && followed.claim.seq >= claim.seq) return;
    followed.claim = claim;
    const updatedAt = this.#options.now();
    this.#saver.save(`claim of ${worker}`, (store) =>
      store.putClaim({ worker, claim: JSON.stringify(claim), updated_at: updatedAt }),
    );
  }

  /**
   * Keeps a statement about a claim that the log bore out.
   *
   * @returns whether it was news: the witness said less before, and there is room for it
   */
  async witness(followed: Followed, statement: ScoreVerify): Promise<boolean> {
    const { from } = statement;
    if (saysNoMore(followed, statement)) return false;
    await this.#dealings.hold([from]);
    const known = followed.witnesses.has(from);
    const isKept = this.find(followed.worker) === followed && this.#takeIn(followed, statement);
    if (known || !isKept) this.#dealings.letGo(from); // held once for as long as it is kept
    return isKept;
  }

  /**
   * The total that at least three fit witnesses confirm, and that this node has proven itself: the third-newest of their
   * claims; less if failures have come since. Below three it is nothing.
   */
  confirmed({ worker, proven, witnesses }: Followed): number {
    if (witnesses.size < WITNESSES_NEEDED) return 0;
    const claims = [...witnesses.values()].flatMap(({ from, claim }) => (this.#isFit(from, worker) ? claim : []));
    const weakest = claims.sort((a, b) => b.seq - a.seq)[WITNESSES_NEEDED - 1];
    return weakest ? Math.min(weakest.total, proven.state.total) : 0;
  }

  /** The next one whose log bears its claim out, and whose total counts for nothing all the same; undefined when there is none among some. */
  nextUnconfirmed(): string | undefined {
    for (let looked = 0; looked < LOOKED_AT; looked++) {
      const { value: followed, done } = this.#unconfirmed.next();
      if (done) this.#unconfirmed = this.#proven.values();
      if (done) return undefined;
      const { worker, claim } = followed;
      if (worker === this.#options.self || !claim || this.mark(worker)) continue;
      if (claim.total > 0 && this.confirmed(followed) === 0) return worker;
    }
    return undefined;
  }

  /** A witness must be someone else, not a liar, and known to have served or asked others than the worker. */
  #isFit(witness: string, worker: string): boolean {
    if (witness === worker || witness === this.#options.self || this.mark(witness)) return false;
    return this.#dealings.hasDealt(witness, worker);
  }

  /** The word of one that is no fit witness makes room first: keys that never dealt with anyone cost nothing. */
  #takeIn(followed: Followed, statement: ScoreVerify): boolean {
    const { worker, witnesses } = followed;
    const { from } = statement;
    if (saysNoMore(followed, statement)) return false;
    if (!witnesses.has(from) && witnesses.size >= WITNESSES_KEPT) {
      const isFit = this.#isFit(from, worker);
      const unfit = [...witnesses.values()].filter((other) => !this.#isFit(other.from, worker));
      if (!isFit && unfit.length === 0) return false;
      const weakest = (unfit.length > 0 ? unfit : [...witnesses.values()]).reduce(older);
      const isStronger = isFit && unfit.length > 0;
      if (!isStronger && weakest.claim.seq >= statement.claim.seq) return false;
      witnesses.delete(weakest.from);
      this.#dealings.letGo(weakest.from);
      this.#saver.save(`word of ${weakest.from} on ${worker}`, (store) => store.removeWitness(worker, weakest.from));
    }
    witnesses.set(from, statement);
    this.#saver.save(`word of ${from} on ${worker}`, (store) =>
      store.putWitness({ worker, witness: from, statement: JSON.stringify(statement) }),
    );
    return true;
  }

  async #load(rows: readonly ScoreLogRow[]): Promise<void> {
    for (const row of rows) this.#keep(fromRow(row));
    const statements = await this.#options.store.witnesses(rows.map(({ worker }) => worker));
    for (const { worker, statement } of statements) {
      const verify = scoreVerifySchema.parse(JSON.parse(statement));
      this.find(worker)?.witnesses.set(verify.from, verify);
    }
    await this.#dealings.hold(rows.flatMap(({ worker }) => [...(this.find(worker)?.witnesses.keys() ?? [])]));
  }

  async #look(): Promise<void> {
    this.#prune();
    try {
      await this.#dealings.readOwn();
    } catch (err) {
      this.#options.log.error({ err }, 'whom this node has dealt with could not be read');
    }
  }

  #prune(): void {
    const now = this.#options.now();
    if (Math.abs(now - this.#prunedAt) < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    this.#marks.prune();
  }

  #keep(followed: Followed): void {
    const { logKey, worker, proven } = followed;
    this.#logKeys.set(logKey, (this.#logKeys.get(logKey) ?? 0) + 1);
    (proven.seq > 0 ? this.#proven : this.#unproven).set(worker, followed);
  }

  #keepProven(followed: Followed): void {
    if (this.#proven.size >= MAX_PROVEN) this.#makeRoom();
    this.#proven.set(followed.worker, followed);
  }

  /** Forgets one that counts for nothing, else the one that counts for least: of some, those that were looked at longest ago. */
  #makeRoom(): void {
    let least: { followed: Followed; points: number } | undefined;
    for (const followed of [...this.#proven.values().take(LOOKED_AT)]) {
      const points =
        followed.worker === this.#options.self ? Number.POSITIVE_INFINITY : this.standing(followed.worker).points;
      if (!least || points < least.points) least = { followed, points };
      if (points === 0) break;
      this.#proven.delete(followed.worker);
      this.#proven.set(followed.worker, followed);
    }
    if (!least) return;
    const { worker } = least.followed;
    this.#drop(least.followed);
    this.#options.store.removeLog(worker).catch((error: unknown) => {
      this.#options.log.error({ err: error, worker }, 'a score log could not be forgotten');
    });
  }

  #drop({ worker, logKey, witnesses }: Followed): void {
    this.#proven.delete(worker);
    this.#unproven.delete(worker);
    const others = (this.#logKeys.get(logKey) ?? 1) - 1;
    if (others > 0) this.#logKeys.set(logKey, others);
    else this.#logKeys.delete(logKey);
    for (const witness of witnesses.keys()) this.#dealings.letGo(witness);
  }

  #toRow({ worker, logKey, claim }: Followed, { seq, state }: Proven): ScoreLogRow {
    return {
      worker,
      log_key: logKey,
      seq,
      state: JSON.stringify(state),
      claim: claim ? JSON.stringify(claim) : null,
      updated_at: this.#options.now(),
    };
  }
}

/** Whether the witness has said as much before. */
export function saysNoMore({ witnesses }: Pick<Followed, 'witnesses'>, { from, claim }: ScoreVerify): boolean {
  const before = witnesses.get(from);
  return before !== undefined && before.claim.seq >= claim.seq;
}

const older = (a: ScoreVerify, b: ScoreVerify) => (a.claim.seq <= b.claim.seq ? a : b);

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
  return { worker, logKey, proven, claim, witnesses: new Map(), trim: undefined };
}
