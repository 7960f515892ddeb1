import { z } from 'zod';
import { MARK_MS } from '../../../src-preload/contract/limits.ts';
import { type Said, told, type Words } from '../../../src-preload/contract/saying.ts';
import { sayingSchema } from '../../../src-preload/contract/saying-schema.ts';
import type { ScoreStore } from '../../store/mesh/scores.ts';
import type { Falsehood } from './score-audit.ts';
import type { ScoreSaver } from './score-saver.ts';

/** Marks kept. Keys cost nothing: whoever is found out under many must not fill memory and disk. */
const MAX_MARKS = 5_000;
/** Marks looked at for one that can go. */
const LOOKED_AT = 64;

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

/** Workers that were found out, in memory and in the database. Bounded: of those that had proven nothing, marks go first. */
export class ScoreMarks {
  readonly #saver: ScoreSaver;
  readonly #now: () => number;
  readonly #isProven: (worker: string) => boolean;
  readonly #marks = new Map<string, Mark>();

  /** @param options.isProven whether anything of the worker's log was ever proven */
  constructor(options: { saver: ScoreSaver; now: () => number; isProven: (worker: string) => boolean }) {
    this.#saver = options.saver;
    this.#now = options.now;
    this.#isProven = options.isProven;
  }

  /** Loads what earlier processes have found out. */
  async open(store: ScoreStore): Promise<void> {
    await store.pruneMarks(this.#now());
    for (const { worker, reason, detail, at, expires_at } of await store.marks()) {
      const found = told({ detail: keptWords(detail) });
      this.#marks.set(worker, { worker, reason: reason as Falsehood, ...found, at, expiresAt: expires_at });
    }
  }

  /** Forgets those that are over. */
  prune(): void {
    const before = this.#now();
    for (const { worker, expiresAt } of this.#marks.values()) if (expiresAt <= before) this.#marks.delete(worker);
    this.#saver.save('marks that are over', (store) => store.pruneMarks(before));
  }

  /** The mark in force, if any. */
  find(worker: string): Mark | undefined {
    const mark = this.#marks.get(worker);
    return mark && mark.expiresAt > this.#now() ? mark : undefined;
  }

  /** All that are in force. */
  list(): Mark[] {
    return [...this.#marks.values()].filter(({ worker }) => this.find(worker));
  }

  /** Who uses another model stays marked for that: it could say something false of its score to be asked again. @param evidence what proves it */
  add(worker: string, reason: Falsehood, detail: Words, evidence: unknown): Mark {
    const before = this.find(worker);
    if (before?.reason === 'model' && reason !== 'model') return before;
    const at = this.#now();
    const mark = { worker, reason, ...told({ detail }), at, expiresAt: at + MARK_MS };
    this.#marks.delete(worker);
    if (this.#marks.size >= MAX_MARKS) this.#makeRoom();
    this.#marks.set(worker, mark);
    const row = { worker, reason, at, expires_at: mark.expiresAt };
    this.#saver.save(`mark ${worker}`, (store) =>
      store.putMark({ ...row, detail: JSON.stringify(detail), evidence: JSON.stringify(evidence) }),
    );
    return mark;
  }

  /** Looks at some, the oldest first; those that stay are the last to be looked at again. */
  #makeRoom(): void {
    const looked = [...this.#marks.values().take(LOOKED_AT)];
    const last = looked.findIndex(({ worker }) => !this.find(worker) || !this.#isProven(worker));
    for (const mark of looked.slice(0, Math.max(0, last))) {
      this.#marks.delete(mark.worker);
      this.#marks.set(mark.worker, mark);
    }
    const least = looked[Math.max(0, last)];
    if (!least) return;
    this.#marks.delete(least.worker);
    this.#saver.save(`mark ${least.worker}`, (store) => store.removeMark(least.worker));
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
