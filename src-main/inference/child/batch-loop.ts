import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Token } from 'node-llama-cpp';
import type { DecodeCost } from '../../../src-preload/contract/decode-cost.ts';
import { MAX_OUTPUTS } from '../engine-protocol.ts';
import { type AdapterTurn, AdapterTurns } from './adapter-turns.ts';
import type { AdapterWeights, Addon, BatchItem } from './addon.ts';
import { type Backlog, fastestGroup, nextKind, PromptPace, planBatch, promptRoundMs } from './batch-plan.ts';
import { measureDecodeCosts } from './decode-costs.ts';
import { type Sequence, SequencePool } from './sequence-pool.ts';

/** A request while it holds a sequence: a list of tokens to evaluate, which it may make longer as it sees logits. */
export interface SequenceTask {
  /** From position 0. Tokens are only ever added at the end. */
  readonly tokens: readonly Token[];
  /** The first position whose logits it wants; it wants all from there on. */
  readonly logitsFrom: number;
  /** What its tokens are evaluated with. Default: the model as it is. */
  readonly adapter?: AdapterWeights | undefined;
  /** Nothing that was evaluated before is used for it. */
  readonly fresh?: boolean | undefined;
  /** Set when it wants nothing more: finished, failed or cancelled. */
  readonly ended: boolean;
  /** Takes the logits of a position; they lie at `logits` until this resolves. The batch may still be under way. */
  onLogits(position: number, logits: number): Promise<void>;
  fail(error: unknown): void;
  /** The loop has let go of it. */
  dispose(): void;
}

/** A request before it holds a sequence. */
export interface SequenceRequest {
  /** Set when nobody waits for it any more. */
  readonly ended: boolean;
  /** A sequence is free: makes the task. A throw fails the request. */
  begin(): SequenceTask | Promise<SequenceTask>;
  /** Told before the first batch: how many of the task’s tokens need no evaluation. */
  onSequence(cachedTokens: number): void;
  fail(error: unknown): void;
}

interface Lane {
  task: SequenceTask;
  sequence: Sequence;
  /** It has had a token since the last prompt was read on. */
  served: boolean;
  /** How fast its prompt is read. */
  readonly pace: PromptPace;
}

/**
 * Fewest tokens of a prompt that are worth copying from another sequence, and which part of a sequence's room: llama.cpp copies all of that,
 * whatever it holds. With a model of 135 million parameters, where reading is quick, the two took about as long on one core.
 */
const WORTH_COPYING = 64;
const WORTH_COPYING_PART = 1 / 128;

export interface BatchLoopOptions {
  addon: Addon;
  /** Sequences of the context. */
  sequences: number;
  /** Tokens that each has room for. */
  contextSize: number;
  /** Most tokens in one batch. */
  batchSize: number;
  /** Positions that the model looks back; undefined when it looks back to the beginning. */
  window: number | undefined;
  /** Called after each batch, when the tasks have taken what it gave. */
  onRound: () => void;
  now: () => number;
  /** Waits so many milliseconds. Default: a timer. */
  sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Evaluates all requests together, as llama-server does: round after round, one batch holds the next token of the
 * decoding sequences, or a piece of the prompts that are being read. Requests wait in the order they came. A batch is of
 * one adapter, and adapters take turns. Once it is known what batches cost here, those who decode come in groups of the fastest size.
 *
 * All sequences ask in the same turn because one loop asks for them; a loop for each would miss its neighbours' batch
 * half of the time.
 */
export class BatchLoop {
  readonly #options: BatchLoopOptions;
  readonly #pool: SequencePool;
  readonly #pace = new PromptPace();
  readonly #turns = new AdapterTurns();
  #waiting: SequenceRequest[] = [];
  #lanes: Lane[] = [];
  #running = false;
  #speed = 1;
  #costs: readonly DecodeCost[] = [];

  constructor(options: BatchLoopOptions) {
    this.#options = options;
    this.#pool = new SequencePool(options.sequences);
  }

  /** @param share of the time that may be spent computing, above 0 to 1: the load policy's brake */
  setSpeed(share: number): void {
    this.#speed = share;
  }

  /** @param costs of batches that decode, with this model on this machine; empty: all decode together */
  useDecodeCosts(costs: readonly DecodeCost[]): void {
    this.#costs = costs;
  }

  /**
   * Measures what batches cost that decode. What sequences hold is forgotten for it.
   * @param isWanted asked between batches: whether to go on
   * @returns none where requests are under way, or come meanwhile
   */
  async measureDecodeCosts(isWanted: () => boolean): Promise<DecodeCost[]> {
    if (this.#running) return [];
    this.#running = true;
    const { addon, now } = this.#options;
    const sequences = this.#pool.sequences.length;
    for (const sequence of this.#pool.sequences) this.#forget(sequence);
    try {
      return await measureDecodeCosts({
        addon,
        sequences,
        now,
        isWanted: () => isWanted() && this.#waiting.length === 0,
      });
    } finally {
      this.#running = false;
      if (this.#waiting.length > 0) void this.#run();
    }
  }

  submit(request: SequenceRequest): void {
    this.#waiting.push(request);
    if (!this.#running) void this.#run();
  }

  /** Lets go of waiting requests that have ended. Those with a sequence leave after the batch that is under way. */
  dropEnded(): void {
    this.#waiting = this.#waiting.filter((request) => !request.ended);
  }

  async #run(): Promise<void> {
    this.#running = true;
    // Requests that come together begin together.
    await setImmediate();
    while (this.#waiting.length > 0 || this.#lanes.length > 0) {
      await this.#admit();
      const started = this.#options.now();
      await this.#round();
      this.#releaseEnded();
      this.#options.onRound();
      await this.#rest(this.#options.now() - started);
    }
    this.#running = false;
  }

  /** Below full speed, idles after each round so long that the rounds take just their share of the time. */
  async #rest(roundMs: number): Promise<void> {
    const { sleep = setTimeout } = this.#options;
    if (this.#speed < 1) await sleep(roundMs * (1 / this.#speed - 1));
  }

  async #admit(): Promise<void> {
    while (this.#pool.hasFree) {
      const request = this.#waiting.shift();
      if (!request) return;
      if (request.ended) continue;
      try {
        await this.#enter(request, await request.begin());
      } catch (error) {
        request.fail(error);
      }
    }
  }

  async #enter(request: SequenceRequest, task: SequenceTask): Promise<void> {
    const place = this.#pool.acquire(task.tokens, task.adapter);
    if (!place) throw new Error('A free sequence was lost.');
    const { sequence } = place;
    const lane = { task, sequence, served: false, pace: new PromptPace(this.#pace) };
    try {
      const common = task.fresh ? 0 : await this.#borrow(sequence, place.common, task);
      const cached = this.#rewind(sequence, Math.min(common, task.logitsFrom));
      sequence.adapter = task.adapter;
      request.onSequence(cached);
      this.#lanes.push(lane);
    } catch (error) {
      this.#forget(sequence);
      this.#release(lane);
      throw error;
    }
  }

  /**
   * Copies what another sequence has of the prompt, where that is so much more than its own that it is quicker than reading it: the answers
   * to one prompt, and conversations with the same instructions, read them once.
   * @returns how many of the prompt's tokens the sequence begins with
   */
  async #borrow(sequence: Sequence, own: number, { tokens, adapter }: SequenceTask): Promise<number> {
    const { addon, contextSize } = this.#options;
    const holder = this.#pool.holder(tokens, adapter);
    const worth = Math.max(WORTH_COPYING, contextSize * WORTH_COPYING_PART);
    if (!holder || holder.common - own < worth) return own;
    await addon.copy(holder.sequence.id, sequence.id);
    sequence.tokens.splice(0, sequence.tokens.length, ...holder.sequence.tokens);
    return holder.common;
  }

  /** Keeps a sequence's first `length` tokens, or none where the model cannot go back there. @returns how many */
  #rewind(sequence: Sequence, length: number): number {
    const { addon, window } = this.#options;
    const end = sequence.tokens.length;
    if (length === end) return length;
    // Where the window slides, what lies before it is gone: the first token after `length` would miss some of it.
    const lost = window !== undefined && addon.firstPosition(sequence.id) > Math.max(0, length - window);
    if (length > 0 && !lost && addon.truncate(sequence.id, length, end)) {
      sequence.tokens.length = length;
      return length;
    }
    this.#forget(sequence);
    return 0;
  }

  #forget(sequence: Sequence): void {
    this.#options.addon.clear(sequence.id);
    sequence.tokens.length = 0;
  }

  async #round(): Promise<void> {
    const { addon, now } = this.#options;
    const { planned, turn } = this.#plan();
    if (planned.length === 0) return;
    const started = now();
    let delivered: Promise<unknown> = Promise.resolve();
    try {
      addon.useAdapter(turn.adapter);
      const { logits, done } = addon.decode(planned.map(({ item }) => item));
      delivered = Promise.all(planned.map(({ lane, item }, index) => deliver(lane.task, item, logits[index] ?? [])));
      await done;
      if (turn.kind === 'prompt') learn(planned, turn, now() - started);
      for (const { lane, item } of planned) lane.sequence.tokens.push(...item.tokens);
    } catch (error) {
      for (const { lane } of planned) {
        lane.task.fail(error);
        this.#forget(lane.sequence);
      }
    }
    await delivered;
  }

  #plan(): { planned: { lane: Lane; item: BatchItem }[]; turn: AdapterTurn } {
    const { batchSize, now } = this.#options;
    const all = this.#lanes.filter(({ task }) => !task.ended);
    const turn = this.#turns.next(new Set(all.map(({ task }) => task.adapter)), now());
    const own = all.filter(({ task }) => task.adapter === turn.adapter);
    const unserved = own.filter((lane) => isDecoding(lane) && !lane.served);
    turn.kind = nextKind(own.map(backlog), turn.kind, unserved.length);
    // Those of other adapters wait for the batch as well.
    const promptMs = promptRoundMs(all.map(backlog));
    const lanes = turn.kind === 'decode' ? this.#group(own, unserved) : this.#readers(own, turn, promptMs);
    const promptTokens = lanes[0]?.pace.tokensIn(promptMs) ?? 0;
    const limits = { batchSize, promptTokens, outputs: MAX_OUTPUTS };
    const counts = planBatch(lanes.map(backlog), turn.kind, limits);
    const planned = lanes
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

  #readers(own: readonly Lane[], turn: AdapterTurn, ms: number): Lane[] {
    for (const lane of own) lane.served = false;
    const pending = (lane: Lane) => backlog(lane).pending;
    return turn.prompts.next(
      own.filter((lane) => pending(lane) > 1),
      { pending, fits: (lane) => pending(lane) <= lane.pace.tokensIn(ms) },
    );
  }

  #releaseEnded(): void {
    for (const lane of this.#lanes.filter(({ task }) => task.ended)) this.#release(lane);
    this.#lanes = this.#lanes.filter(({ task }) => !task.ended);
  }

  #release({ task, sequence }: Pick<Lane, 'task' | 'sequence'>): void {
    task.dispose();
    this.#pool.release(sequence);
  }
}

function isDecoding(lane: Lane): boolean {
  return backlog(lane).pending === 1;
}

function bySequence(a: Lane, b: Lane): number {
  return a.sequence.id - b.sequence.id;
}

function backlog({ task, sequence }: Lane): Backlog {
  return {
    pending: task.tokens.length - sequence.tokens.length,
    silent: Math.max(0, task.logitsFrom - sequence.tokens.length),
  };
}

function batchItem({ task, sequence }: Lane, count: number): BatchItem {
  const position = sequence.tokens.length;
  const tokens = task.tokens.slice(position, position + count);
  const wanted = tokens.map((_, index) => index).filter((index) => position + index >= task.logitsFrom);
  return { sequence: sequence.id, position, tokens, logits: wanted };
}

/** Gives a task its logits one after the other. Never throws: its failure is its own. */
async function deliver(task: SequenceTask, item: BatchItem, logits: readonly number[]): Promise<void> {
  try {
    for (const [index, offset] of item.logits.entries()) {
      if (task.ended) return;
      await task.onLogits(item.position + offset, logits[index] ?? -1);
    }
  } catch (error) {
    task.fail(error);
  }
}

/** Each prompt of a batch has its share of the time by its tokens. */
function learn(planned: readonly { lane: Lane; item: BatchItem }[], turn: AdapterTurn, ms: number): void {
  const total = planned.reduce((sum, { item }) => sum + item.tokens.length, 0);
  for (const { lane, item } of planned) lane.pace.learn(item.tokens.length, (ms * item.tokens.length) / total);
  turn.prompts.took(ms);
}
