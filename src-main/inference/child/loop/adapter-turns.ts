import type { AdapterWeights } from './addon.ts';
import { type BatchKind, PromptTurns } from './batch-plan.ts';

/** Whose turn it is. */
export interface AdapterTurn {
  /** Undefined: those who ask the model as it is. */
  readonly adapter: AdapterWeights | undefined;
  /** What its last batch was: {@link nextKind}. */
  kind: BatchKind;
  /** Answers that could begin wait for the prompts of others, until then: milliseconds, monotonic. Undefined: none does. */
  heldUntil: number | undefined;
  /** Of its prompts. */
  readonly prompts: PromptTurns;
}

function firstTurn(adapter: AdapterWeights | undefined): AdapterTurn {
  return { adapter, kind: 'decode', heldUntil: undefined, prompts: new PromptTurns() };
}

/**
 * How long the requests of one adapter go on while those of another wait: at least a batch, and so long that changing over (some
 * milliseconds) does not show. Each has the same share of the time, and a batch takes hardly longer for many requests than for one:
 * so all of them get on at about the same speed.
 */
const TURN_MS = 100;

/** Which adapter the next batch is of. */
export class AdapterTurns {
  /** First whose turn it is, then those that wait, in their order. */
  #queue: AdapterTurn[] = [];
  #since = Number.NEGATIVE_INFINITY;

  /**
   * @param present the adapters of those who want something; none: the turn of the model as it is
   * @param now milliseconds, monotonic
   */
  next(present: ReadonlySet<AdapterWeights | undefined>, now: number): AdapterTurn {
    const [holder] = this.#queue;
    const staying = this.#queue.filter(({ adapter }) => present.has(adapter));
    const known = new Set(staying.map(({ adapter }) => adapter));
    const coming = [...present].filter((adapter) => !known.has(adapter));
    this.#queue = [...staying, ...coming.map(firstTurn)];
    if (this.#queue.length > 1 && this.#queue[0] === holder && now - this.#since >= TURN_MS) {
      this.#queue.push(...this.#queue.splice(0, 1));
    }
    const turn = this.#queue[0] ?? firstTurn(undefined);
    if (turn !== holder) this.#since = now;
    return turn;
  }
}
