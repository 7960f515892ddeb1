import type { DecodeCost } from '../../../../src-preload/contract/decode-cost.ts';
import { MAX_OUTPUTS } from '../../engine-protocol.ts';
import { type AdapterTurn, AdapterTurns } from './adapter-turns.ts';
import { fastestGroup, nextKind, planBatch, promptRoundMs } from './batch-plan.ts';
import { backlog, batchItem, bySequence, isDecoding, type Lane, type Planned } from './lane.ts';

/** Composes the batches, one after the other: of which adapter, of those who decode or of prompts, and how much of each. */
export class RoundPlanner {
  readonly #batchSize: number;
  readonly #now: () => number;
  readonly #turns = new AdapterTurns();
  #costs: readonly DecodeCost[] = [];

  /**
   * @param batchSize most tokens in one batch
   * @param now milliseconds, monotonic
   */
  constructor(batchSize: number, now: () => number) {
    this.#batchSize = batchSize;
    this.#now = now;
  }

  /** @param costs of batches that decode, with this model on this machine; empty: all decode together */
  useDecodeCosts(costs: readonly DecodeCost[]): void {
    this.#costs = costs;
  }

  /** The next batch; empty where nobody wants anything. */
  next(lanes: readonly Lane[]): { planned: Planned[]; turn: AdapterTurn } {
    const all = lanes.filter(({ task }) => !task.ended);
    const turn = this.#turns.next(new Set(all.map(({ task }) => task.adapter)), this.#now());
    const own = all.filter(({ task }) => task.adapter === turn.adapter);
    const unserved = own.filter((lane) => isDecoding(lane) && !lane.served);
    turn.kind = nextKind(own.map(backlog), turn.kind, unserved.length);
    // Those of other adapters wait for the batch as well.
    const promptMs = promptRoundMs(all.map(backlog));
    const chosen = turn.kind === 'decode' ? this.#group(own, unserved) : readers(own, turn, promptMs);
    const promptTokens = chosen[0]?.pace.tokensIn(promptMs) ?? 0;
    const limits = { batchSize: this.#batchSize, promptTokens, outputs: MAX_OUTPUTS };
    const counts = planBatch(chosen.map(backlog), turn.kind, limits);
    const planned = chosen
      .map((lane, index) => ({ lane, item: batchItem(lane, counts[index] ?? 0) }))
      .filter(({ item }) => item.tokens.length > 0)
      // llama.cpp computes sequences together only where they stand in the order of their ids.
      .sort((a, b) => bySequence(a.lane, b.lane));
    return { planned, turn };
  }

  /** The next of those who decode: each has its token before anybody has another. */
  #group(own: readonly Lane[], unserved: readonly Lane[]): Lane[] {
    if (unserved.length === 0) for (const lane of own) lane.served = false;
    const next = unserved.length > 0 ? unserved : own.filter(isDecoding);
    const group = next.toSorted(bySequence).slice(0, fastestGroup(next.length, this.#costs));
    for (const lane of group) lane.served = true;
    return group;
  }
}

function readers(own: readonly Lane[], turn: AdapterTurn, ms: number): Lane[] {
  for (const lane of own) lane.served = false;
  const pending = (lane: Lane) => backlog(lane).pending;
  return turn.prompts.next(
    own.filter((lane) => pending(lane) > 1),
    { pending, fits: (lane) => pending(lane) <= lane.pace.tokensIn(ms) },
  );
}

/** What reading prompts took, for those that were read: each has its share of the time by its tokens. */
export function learnPace(planned: readonly Planned[], turn: AdapterTurn, ms: number): void {
  const total = planned.reduce((sum, { item }) => sum + item.tokens.length, 0);
  for (const { lane, item } of planned) {
    const own = (ms * item.tokens.length) / total;
    lane.pace.learn(item.tokens.length, own);
    lane.readMs += own;
  }
  turn.prompts.took(ms);
}
