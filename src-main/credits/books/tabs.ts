import type { Funding } from '../credits.ts';
import { idTaken } from './parts.ts';

/**
 * What a request may cost and has cost, from when its price is set aside until its receipt is booked or it ends without one: longer than its
 * job, which is over when the answer is out.
 */
export interface Tab {
  readonly funding: Funding;
  /** Unix milliseconds: when it was taken, or when the answer ended. */
  at: number;
  running: boolean;
  /** Credits that the client has signed for. */
  pledged: number;
  /** Tokens of its answer, once that has ended and its bill is out. */
  billed: number | undefined;
  /** Points that its receipt would count for, once its bill is out. */
  points: number;
  /** Credits that were counted for its prefix: once, when the answer ends. */
  counted: number | undefined;
  /** Its end is being written. */
  ending: Promise<unknown> | undefined;
}

/** Whether what a request takes is counted for its client's prefix. */
export const isGift = ({ funding: { funds } }: Tab) => funds === 'gift' || funds === 'word';

/** The requests of a worker that are not paid yet, by their ids. */
export class Tabs {
  /** undefined while one is being looked at. */
  readonly #tabs = new Map<string, Tab | undefined>();

  /** Answers that nobody has signed for yet. */
  get pending(): { requests: number; credits: number; points: number } {
    const pending = { requests: 0, credits: 0, points: 0 };
    for (const tab of this.#tabs.values()) {
      if (!tab || tab.running) continue;
      pending.requests++;
      pending.credits += tab.funding.credits;
      pending.points += tab.points;
    }
    return pending;
  }

  /**
   * Opens one. From the call on its id is taken.
   * @throws BAD_REQUEST when it was before; what `fund` throws
   */
  async open(requestId: string, fund: () => Promise<Funding>, now: () => number): Promise<Funding> {
    if (this.#tabs.has(requestId)) throw idTaken();
    this.#tabs.set(requestId, undefined);
    try {
      const funding = await fund();
      const nothing = { pledged: 0, billed: undefined, points: 0, counted: undefined, ending: undefined };
      this.#tabs.set(requestId, { funding, at: now(), running: true, ...nothing });
      return funding;
    } catch (error) {
      this.#tabs.delete(requestId);
      throw error;
    }
  }

  /** Undefined where it is another client's, or nobody's. */
  of(client: string, requestId: string): Tab | undefined {
    const tab = this.#tabs.get(requestId);
    return tab?.funding.client === client ? tab : undefined;
  }

  /** Whoever's it is. */
  get(requestId: string): Tab | undefined {
    return this.#tabs.get(requestId);
  }

  /** Of answers that ended before this time, and whose end nobody writes. */
  unsigned(before: number): [requestId: string, tab: Tab][] {
    return [...this.#tabs].filter(
      (one): one is [string, Tab] => one[1] !== undefined && !one[1].running && !one[1].ending && one[1].at < before,
    );
  }

  close(requestId: string): void {
    this.#tabs.delete(requestId);
  }
}
