import { WITNESSES_KEPT } from './score-board.ts';
import type { ScoreUpdate, ScoreVerify } from './score-messages.ts';

/** What was said about a worker and has not been held against its log yet: bounded, the newest of everyone. */
export class ScoreInbox {
  #claims: ScoreUpdate[] = [];
  readonly #statements = new Map<string, ScoreVerify>();

  /** The lowest place after `seq` that anyone speaks of; undefined when all has been said about earlier ones. */
  next(seq: number): number | undefined {
    const places = this.#all().flatMap((claim) => (claim.seq > seq ? claim.seq : []));
    return places.length > 0 ? Math.min(...places) : undefined;
  }

  /** The worker's own word that it has another log than the one that is known, if it said so. */
  contradiction(logKey: string): ScoreUpdate | undefined {
    return this.#all().find((claim) => claim.logKey !== logKey);
  }

  get empty(): boolean {
    return this.#claims.length === 0 && this.#statements.size === 0;
  }

  hasClaim(claim: ScoreUpdate): boolean {
    return this.#claims.some((other) => sameClaim(other, claim));
  }

  /** Whether the witness's word is there already, or a newer one. */
  hasStatement({ from, claim }: ScoreVerify): boolean {
    const before = this.#statements.get(from);
    return before !== undefined && before.claim.seq >= claim.seq;
  }

  /** The worker's own word; of those that say something new, the last few are kept. */
  addClaim(claim: ScoreUpdate): void {
    if (this.hasClaim(claim)) return;
    this.#claims = [...this.#claims, claim].slice(-WITNESSES_KEPT);
  }

  addStatement(statement: ScoreVerify): void {
    if (this.hasStatement(statement)) return;
    if (!this.#statements.has(statement.from) && this.#statements.size >= 2 * WITNESSES_KEPT) return;
    this.#statements.set(statement.from, statement);
  }

  /** Takes out what can be judged now that the log has been checked up to `seq`. */
  take(seq: number): { claims: ScoreUpdate[]; statements: ScoreVerify[] } {
    const claims = this.#claims.filter((claim) => claim.seq <= seq);
    const statements = [...this.#statements.values()].filter(({ claim }) => claim.seq <= seq);
    this.#claims = this.#claims.filter((claim) => claim.seq > seq);
    for (const { from } of statements) this.#statements.delete(from);
    return { claims, statements };
  }

  #all(): ScoreUpdate[] {
    return [...this.#claims, ...[...this.#statements.values()].map(({ claim }) => claim)];
  }
}

/** Whether two claims of one worker say the same, whenever they were signed. */
export function sameClaim(a: ScoreUpdate, b: ScoreUpdate): boolean {
  return a.seq === b.seq && a.total === b.total && a.receiptsRoot === b.receiptsRoot && a.logKey === b.logKey;
}
