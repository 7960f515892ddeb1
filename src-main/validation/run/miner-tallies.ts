import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Miner, NotReached } from './miner.ts';

/** How it goes with one miner since the run began. */
export interface MinerTally {
  /** Challenges that it is being asked. */
  inFlight: number;
  /** Answers of it that are judged, or wait for that. */
  judging: number;
  answered: number;
  /** Sum of its scores. */
  score: number;
  /** Questions that brought no answer, and those that never reached it. */
  failed: number;
  notReached: number;
  /** When it was heard last, Unix milliseconds; null where that was never. */
  heardAt: number | null;
  /** Why no answer came last; null where one did. */
  error: QuarryError | null;
}

type Stage = 'inFlight' | 'judging';

/** A challenge on its way. */
export interface Begun {
  /** Its answer is there. */
  judge(): void;
  end(): void;
}

const NOTHING: MinerTally = {
  ...{ inFlight: 0, judging: 0 },
  ...{ answered: 0, score: 0, failed: 0, notReached: 0, heardAt: null, error: null },
};

/** How it goes with each miner since the run began; only of those that are known now. */
export class MinerTallies {
  readonly #of = new Map<string, MinerTally>();

  /** Forgets those who are gone. */
  keepOnly(miners: readonly Miner[]): void {
    const there = new Set(miners.map(({ id }) => id));
    for (const [id, { inFlight, judging }] of this.#of)
      if (!there.has(id) && inFlight + judging === 0) this.#of.delete(id);
  }

  read(id: string): MinerTally {
    return this.#of.get(id) ?? NOTHING;
  }

  /** Of all miners together. */
  count(what: Stage): number {
    return [...this.#of.values()].reduce((sum, of) => sum + of[what], 0);
  }

  /** Begins to ask a miner. */
  begin(id: string): Begun {
    let stage: Stage | undefined;
    const goOn = (next?: Stage) => {
      if (stage) this.#add(id, stage, -1);
      if (next) this.#add(id, next, 1);
      stage = next;
    };
    goOn('inFlight');
    return { judge: () => goOn('judging'), end: () => goOn() };
  }

  answered(id: string, score: number, heardAt: number): void {
    this.#change(id, (of) => ({ answered: of.answered + 1, score: of.score + score, heardAt, error: null }));
  }

  failed(id: string, error: QuarryError): void {
    const isAway = error instanceof NotReached;
    this.#change(id, ({ failed, notReached }) =>
      isAway ? { notReached: notReached + 1, error } : { failed: failed + 1, error },
    );
  }

  #add(id: string, stage: Stage, count: number): void {
    this.#change(id, (of) => ({ [stage]: of[stage] + count }));
  }

  #change(id: string, change: (of: MinerTally) => Partial<MinerTally>): void {
    const of = this.read(id);
    this.#of.set(id, { ...of, ...change(of) });
  }
}
