import type { Logger } from 'pino';
import { TaskSet } from '../../base/task-set.ts';
import type { ClientCredits, Terms } from '../../credits/credits.ts';
import { CoolDown } from './cool-down.ts';
import { meansFor, type Prospect, type Way } from './means.ts';
import { isIdle } from './selection.ts';
import type { KnownWorker } from './worker-directory.ts';

/** Milliseconds for which the list of those who may vouch is not made anew: it is longer than a choice should take. */
const WAYS_MS = 20_000;
/**
 * For so long nobody is asked to vouch at a worker that did not serve for vouchers that were brought, each time longer: whoever signs one
 * owes this node less from then on, and who lures for it may know nobody.
 */
const TURNED_DOWN = { firstMs: 600_000, longestMs: 86_400_000 };

export interface DebtsOptions {
  credits: Pick<ClientCredits, 'owedBy' | 'waysTo' | 'corrected'>;
  /** Whether a node can be asked for a voucher now. */
  isThere: (id: string) => boolean;
  now: () => number;
  log: Logger;
}

/** What workers owe this node, by its own record, and how they would serve it. */
export class Debts {
  readonly #options: DebtsOptions;
  readonly #ways = new WeakMap<Terms, { at: number; ids: string[] }>();
  /** Workers whose last word is being written down. */
  readonly #correcting = new Set<string>();
  readonly #turnedDown = new CoolDown(TURNED_DOWN);
  readonly #tasks = new TaskSet();

  constructor(options: DebtsOptions) {
    this.#options = options;
  }

  /** Waits for the books. */
  async close(): Promise<void> {
    await this.#tasks.ended();
  }

  /** How a request of this price would be served by a worker. One that has not said what it gives may give it. */
  prospect(worker: KnownWorker, cost: number): Prospect {
    const owed = this.#options.credits.owedBy(worker.id);
    const free = isIdle(worker.claim.queue);
    if (owed >= cost) return { means: 'claim', free };
    const gift = worker.terms?.gift ?? Number.POSITIVE_INFINITY;
    return { means: meansFor(cost, { owed, gift, ways: this.waysTo(worker) }), free };
  }

  /** Credits that are missing of a price. */
  missing({ id }: KnownWorker, cost: number): number {
    return Math.max(0, cost - this.#options.credits.owedBy(id));
  }

  /** Whom to ask for vouchers to a worker, the greatest debt first. */
  waysTo({ id, terms }: KnownWorker): Way[] {
    const { credits, isThere, now } = this.#options;
    if (!terms || terms.voices.length === 0 || this.#turnedDown.isCooling(id, now())) return [];
    const known = this.#ways.get(terms);
    const fresh = known && known.at + WAYS_MS > now() ? known : { at: now(), ids: credits.waysTo(id, terms) };
    this.#ways.set(terms, fresh);
    return fresh.ids.filter(isThere).map((way) => ({ id: way, owed: credits.owedBy(way) }));
  }

  /** A worker has refused for want of credits what vouchers were brought for. */
  turnedDown({ id }: KnownWorker): void {
    this.#turnedDown.failed(id, this.#options.now());
  }

  /**
   * Takes a worker at its word that owes less than was expected. While requests are with it their prices are on one side's books and
   * not yet on the other's: then nothing is concluded.
   */
  heard(worker: KnownWorker): void {
    const { id, terms } = worker;
    const { credits } = this.#options;
    if (!terms || worker.open.size > 0 || this.#correcting.has(id) || terms.owed >= credits.owedBy(id)) return;
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
