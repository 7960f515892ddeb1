import type { DecodeCost } from '../../../../src-preload/contract/decode-cost.ts';
import { MAX_OUTPUTS } from '../../engine-protocol.ts';
import { type AdapterTurn, AdapterTurns } from './adapter-turns.ts';
import { awaitsOthers, fastestGroup, mostHeldMs, nextKind, planBatch, promptRoundMs } from './batch-plan.ts';
import { backlog, batchItem, bySequence, isDecoding, isReading, type Lane, type Planned } from './lane.ts';

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
    const held = turn.heldUntil !== undefined;
    turn.kind = held && own.some(isReading) ? 'prompt' : nextKind(own.map(backlog), turn.kind, unserved.length);
    // Those of other adapters wait for the batch as well.
    const promptMs = promptRoundMs(all);
    const chosen = turn.kind === 'decode' ? this.#group(own, unserved) : readers(own, turn, promptMs);
    const counts = this.#counts(chosen, turn, promptMs);
    const mayHold = turn.kind === 'prompt' && !all.some(({ begun }) => begun);
    turn.heldUntil = mayHold ? this.#heldUntil(turn, own, (lane) => counts[chosen.indexOf(lane)] ?? 0) : undefined;
    if (turn.heldUntil === undefined) return { planned: inBatch(chosen, counts), turn };
    return { planned: inBatch(chosen, this.#counts(chosen, turn, promptMs, 1)), turn };
  }

  /**
   * Until when answers wait that could begin, where they wait for this batch, too. Whoever comes meanwhile makes that no later.
   * @param countOf how many tokens each would put into it
   */
  #heldUntil(turn: AdapterTurn, own: readonly Lane[], countOf: (lane: Lane) => number): number | undefined {
    const now = this.#now();
    const until = turn.heldUntil ?? now + mostHeldMs(own.length);
    if (until <= now) return undefined;
    const readings = own.filter(isReading).map((lane) => ({
      pending: backlog(lane).pending,
      count: countOf(lane),
      within: lane.pace.tokensIn(until - now),
    }));
    return awaitsOthers(readings, own.some(isDecoding)) ? until : undefined;
  }

  /** How many tokens each puts into the batch. @param spared so many are left of each prompt. Default: none */
  #counts(chosen: readonly Lane[], { kind }: AdapterTurn, promptMs: number, spared = 0): number[] {
    const promptTokens = chosen[0]?.pace.pieceIn(promptMs) ?? 0;
    const limits = { batchSize: this.#batchSize, promptTokens, outputs: MAX_OUTPUTS, spared };
    return planBatch(chosen.map(backlog), kind, limits);
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

function inBatch(chosen: readonly Lane[], counts: readonly number[]): Planned[] {
  const planned = chosen
    .map((lane, index) => ({ lane, item: batchItem(lane, counts[index] ?? 0) }))
    .filter(({ item }) => item.tokens.length > 0)
    // llama.cpp computes sequences together only where they stand in the order of their ids.
    .sort((a, b) => bySequence(a.lane, b.lane));
  for (const { lane, item } of planned) {
    if (item.position + item.tokens.length === lane.task.tokens.length) lane.begun = true;
  }
  return planned;
}

function readers(own: readonly Lane[], turn: AdapterTurn, ms: number): Lane[] {
  for (const lane of own) lane.served = false;
  const pending = (lane: Lane) => backlog(lane).pending;
  return turn.prompts.next(own.filter(isReading), { pending, fits: (lane) => pending(lane) <= lane.pace.pieceIn(ms) });
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
