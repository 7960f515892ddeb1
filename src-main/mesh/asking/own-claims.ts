import type { Logger } from 'pino';
import { greatest } from '../../base/greatest.ts';
import { TaskSet } from '../../base/task-set.ts';
import type { ClientCredits } from '../../credits/credits.ts';
import { MAX_VOUCHERS, type Voucher } from '../../credits/voucher.ts';
import { CoolDown } from './cool-down.ts';
import type { KnownWorker } from './known-worker.ts';
import { meansFor, type Prospect, type Way } from './means.ts';
import { beginsAtOnce } from './selection.ts';

/** For so long nobody is asked to vouch who was asked and did not: it is silent, or owes less than this node believes. */
const WITHHELD = { firstMs: 60_000, longestMs: 3_600_000 };
/**
 * For so long somebody is not asked to vouch at a worker that did not serve for a voucher of theirs: who signs one owes this node less from
 * then on, whether it was good or not. Which of the two is to blame nobody can say, so it is held against both together, and against
 * neither beside others.
 */
const TURNED_DOWN = { firstMs: 600_000, longestMs: 86_400_000 };

export interface OwnClaimsOptions {
  credits: Pick<ClientCredits, 'owedBy' | 'waysTo' | 'corrected'>;
  /** The nodes that can be asked for a voucher now. */
  there: () => Iterable<string>;
  now: () => number;
  log: Logger;
}

/** This node's claims: what workers owe it, by its own record, how they would serve it, and who may vouch for it there. */
export class OwnClaims {
  readonly #options: OwnClaimsOptions;
  /** Workers whose last word is being written down. */
  readonly #correcting = new Set<string>();
  /** By who was asked. */
  readonly #withheld = new CoolDown(WITHHELD);
  /** By who signed, and for which worker. */
  readonly #turnedDown = new CoolDown(TURNED_DOWN);
  readonly #tasks = new TaskSet();

  constructor(options: OwnClaimsOptions) {
    this.#options = options;
  }

  /** Waits for the books. */
  async close(): Promise<void> {
    await this.#tasks.ended();
  }

  /** How a request of this price would be served by a worker. One that has not said what it gives may give it. @param model default: any */
  prospect(worker: KnownWorker, cost: number, model?: string): Prospect {
    const owed = this.#options.credits.owedBy(worker.id);
    const free = beginsAtOnce(worker.selfReport, model);
    if (owed >= cost) return { means: 'claim', free };
    const gift = worker.terms?.gift ?? Number.POSITIVE_INFINITY;
    return { means: meansFor(cost, { owed, gift, ways: this.waysTo(worker) }), free };
  }

  /** The most whole credits that a worker would serve this node for now, as far as is known: what it owes or gives, or what can be vouched for. */
  affordable(worker: KnownWorker): number {
    const owed = this.waysTo(worker).reduce((sum, way) => sum + way.owed, this.#options.credits.owedBy(worker.id));
    return Math.max(owed, Math.floor(worker.terms?.gift ?? 0));
  }

  /** Credits that are missing of a price. */
  missing({ id }: KnownWorker, cost: number): number {
    return Math.max(0, cost - this.#options.credits.owedBy(id));
  }

  /** Whom to ask for vouchers to a worker: those who never failed at it first, and of them the greatest debt. */
  waysTo({ id, terms }: KnownWorker): Way[] {
    if (!terms || terms.voices.length === 0) return [];
    const { credits, there, now } = this.#options;
    const owed = (by: string) => credits.owedBy(by);
    const [good, doubtful]: [string[], string[]] = [[], []];
    for (const by of credits.waysTo(id, terms, there())) {
      const pair = pairOf(by, id);
      if (this.#withheld.isCooling(by, now()) || this.#turnedDown.isCooling(pair, now())) continue;
      (this.#withheld.hasFailed(by) || this.#turnedDown.hasFailed(pair) ? doubtful : good).push(by);
    }
    const ways = [...greatest(good, MAX_VOUCHERS, owed), ...greatest(doubtful, MAX_VOUCHERS, owed)];
    return ways.slice(0, MAX_VOUCHERS).map((by) => ({ id: by, owed: owed(by) }));
  }

  /** Somebody who was asked has vouched, or has not. */
  asked(by: string, vouched: boolean): void {
    if (vouched) this.#withheld.succeeded(by);
    else failed(this.#withheld, by, this.#options.now());
  }

  /** A worker has served a request for which these were brought, or has not. */
  brought(worker: string, vouchers: readonly Voucher[], served: boolean): void {
    for (const { body } of vouchers) {
      const pair = pairOf(body.by, worker);
      if (served) this.#turnedDown.succeeded(pair);
      else failed(this.#turnedDown, pair, this.#options.now());
    }
  }

  /**
   * Takes a worker at its word that owes less than was expected. While requests are with it nothing is concluded: see
   * {@link KnownWorker.isSettled}.
   */
  heard(worker: KnownWorker): void {
    const { id, terms } = worker;
    const { credits } = this.#options;
    if (!terms || !worker.isSettled || this.#correcting.has(id) || terms.owed >= credits.owedBy(id)) return;
    this.#correcting.add(id);
    void this.#tasks.add(this.#correct(worker, terms.owed));
  }

  async #correct(worker: KnownWorker, owed: number): Promise<void> {
    const { credits, log } = this.#options;
    try {
      await credits.corrected(worker.id, owed);
    } catch (error) {
      log.error({ err: error, worker: worker.id }, 'what a worker says that it owes could not be written down');
    } finally {
      this.#correcting.delete(worker.id);
    }
  }
}

const pairOf = (by: string, worker: string) => `${by} ${worker}`;

/** What fails together is one failure: several requests may wait for the same. */
function failed(coolDown: CoolDown, key: string, now: number): void {
  if (!coolDown.isCooling(key, now)) coolDown.failed(key, now);
}
