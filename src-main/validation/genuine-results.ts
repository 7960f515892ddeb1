import { hash, randomBytes } from 'node:crypto';
import type { Verify } from '../base/signing.ts';
import { Slices } from '../base/slices.ts';
import type { StoredResult } from '../store/results/result-rows.ts';
import type { ResultsDb } from '../store/results/results-db.ts';
import type { CountedScore } from '../store/results/score-tally.ts';
import { readResult } from './result.ts';
import { type Prints, VerifiedRows } from './verified-rows.ts';

/**
 * Lets count only what is as its signer left it. A result is read in full, and its signature and columns are checked: once, and again when one of the
 * columns that count has changed. Whoever can write to the database cannot have a result count that nobody signed, nor one twice.
 */
export class GenuineResults {
  readonly #verify: Verify;
  readonly #verified = new VerifiedRows();
  /** Whoever writes to the database makes no two rows with one print. */
  readonly #secret = randomBytes(32).toString('hex');

  constructor(verify: Verify) {
    this.#verify = verify;
  }

  /** @param signers whose results count */
  look(results: Pick<ResultsDb, 'some'>, signers: readonly string[]): GenuineLook {
    const [verify, verified] = [this.#verify, this.#verified];
    return new GenuineLook({ results, signers, verify, verified, print: (of) => this.#print(of) });
  }

  #print(of: readonly unknown[]): bigint {
    const print = hash('sha256', this.#secret + JSON.stringify(of), 'buffer').readBigUInt64LE();
    return print === 0n ? 1n : print; // none stands for what was not verified
  }
}

interface GenuineLookNeeds {
  results: Pick<ResultsDb, 'some'>;
  signers: readonly string[];
  verify: Verify;
  verified: VerifiedRows;
  print: (of: readonly unknown[]) => bigint;
}

/** One look at the results that are to count, miner by miner and way by way, in the order of time in each. */
export class GenuineLook {
  readonly #needs: GenuineLookNeeds;
  readonly #slices = new Slices();
  readonly #once = new EachOnce();
  /** Hashed once: a list of many would be hashed for each row. */
  readonly #whoCounts: string;
  /** How many were looked at, and how many of these do not count. */
  checked = 0;
  forged = 0;

  constructor(needs: GenuineLookNeeds) {
    this.#needs = needs;
    this.#whoCounts = needs.print(needs.signers).toString(36);
  }

  /** Those that are as their signers left them, each once. @throws what the database throws */
  async sift(scores: readonly CountedScore[]): Promise<CountedScore[]> {
    const { known, unknown } = await this.#remembered(scores);
    for (const [id, prints] of await this.#verified(unknown)) known.set(id, prints);
    const genuine = scores.filter(({ id, at }) => {
      const prints = known.get(id);
      return prints !== undefined && this.#once.isFirst(at, prints.signed);
    });
    this.checked += scores.length;
    this.forged += scores.length - genuine.length;
    return genuine;
  }

  /** What was verified before and is as it was; of the others, the prints of their columns. */
  async #remembered(scores: readonly CountedScore[]) {
    const known = new Map<number, Prints>();
    const unknown = new Map<number, bigint>();
    for (const score of scores) {
      const columns = this.#printOf(score);
      const prints = this.#needs.verified.get(score.id);
      if (prints?.columns === columns) known.set(score.id, prints);
      else unknown.set(score.id, columns);
      if (this.#slices.isOver) await this.#slices.next();
    }
    return { known, unknown };
  }

  async #verified(unknown: ReadonlyMap<number, bigint>): Promise<Map<number, Prints>> {
    const { results, signers, verify, verified, print } = this.#needs;
    const genuine = new Map<number, Prints>();
    for await (const row of results.some([...unknown.keys()])) {
      const columns = this.#printOf(scoreOf(row));
      if (columns === unknown.get(row.id) && signers.includes(row.signer) && readResult(row, verify)) {
        const prints = { columns, signed: print([row.payload]) };
        genuine.set(row.id, prints);
        verified.set(row.id, prints);
      }
      if (this.#slices.isOver) await this.#slices.next();
    }
    return genuine;
  }

  /** Who counts is in it: what one signed who is not trusted any more is not what another signed. */
  #printOf({ id, environment, version, level, miner, score, at, block }: CountedScore): bigint {
    return this.#needs.print([this.#whoCounts, id, environment, version, level, miner, score, at, block]);
  }
}

/** One signed result twice in the table is of one miner, asked in one way at one moment, both times: they come together, and what went before need not be remembered. */
class EachOnce {
  #at = Number.NaN;
  #signed = new Set<bigint>();

  isFirst(at: number, signed: bigint): boolean {
    if (at !== this.#at) this.#signed = new Set();
    this.#at = at;
    if (this.#signed.has(signed)) return false;
    this.#signed.add(signed);
    return true;
  }
}

function scoreOf(row: StoredResult): CountedScore {
  const { id, environment, environmentVersion: version, level, miner, success, createdAt: at, block } = row;
  return { id, environment, version, level, miner, score: success ? row.score : 0, at, block };
}
