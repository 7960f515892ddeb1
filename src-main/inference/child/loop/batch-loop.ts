import { setImmediate, setTimeout } from 'node:timers/promises';
import type { DecodeCost } from '../../../../src-preload/contract/decode-cost.ts';
import type { DraftCost } from '../../../../src-preload/contract/drafting.ts';
import { acceptedTokens, deliver, withGuesses } from '../drafting/accepted.ts';
import type { Drafter } from '../drafting/drafter.ts';
import type { Addon } from './addon.ts';
import { PromptPace } from './batch-plan.ts';
import { measureDecodeCosts } from './decode-costs.ts';
import { HeldSequences, type HeldSequencesOptions } from './held-sequences.ts';
import type { Lane, Planned } from './lane.ts';
import { learnPace, RoundPlanner } from './round-planner.ts';
import type { SequenceRequest, SequenceTask } from './sequence-task.ts';

export interface BatchLoopOptions extends HeldSequencesOptions {
  addon: Addon;
  /** Most tokens in one batch. */
  batchSize: number;
  /** Guesses what those who decode say next. Default: nobody does. Only for a model that can go back a few tokens. */
  drafter?: Pick<Drafter, 'guess' | 'plan' | 'measure'> | undefined;
  /** Called after each batch, when the tasks have taken what it gave. */
  onRound: () => void;
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
  readonly #sequences: HeldSequences;
  readonly #planner: RoundPlanner;
  readonly #pace = new PromptPace();
  #waiting: SequenceRequest[] = [];
  #lanes: Lane[] = [];
  #running = false;
  #speed = 1;

  constructor(options: BatchLoopOptions) {
    this.#options = options;
    this.#sequences = new HeldSequences(options);
    this.#planner = new RoundPlanner(options.batchSize, options.now);
  }

  /** @param share of the time that may be spent computing, above 0 to 1: the load policy's brake */
  setSpeed(share: number): void {
    this.#speed = share;
  }

  /** @param costs of batches that decode, with this model on this machine; empty: all decode together */
  useDecodeCosts(costs: readonly DecodeCost[]): void {
    this.#planner.useDecodeCosts(costs);
  }

  /**
   * Measures what batches cost that decode. What sequences hold is forgotten for it.
   * @param isWanted asked between batches: whether to go on
   * @returns none where requests are under way, or come meanwhile
   */
  async measureDecodeCosts(isWanted: () => boolean): Promise<DecodeCost[]> {
    const { addon, now } = this.#options;
    const sequences = this.#sequences.count;
    return await this.#measure(isWanted, (stillWanted) =>
      measureDecodeCosts({ addon, sequences, now, isWanted: stillWanted }),
    );
  }

  /** Measures what guessing ahead costs, in the same way. @returns none also where nobody guesses */
  async measureDraftCosts(isWanted: () => boolean): Promise<DraftCost[]> {
    const { addon: model, now, drafter } = this.#options;
    return await this.#measure(isWanted, async (stillWanted) =>
      drafter ? await drafter.measure({ model, now, isWanted: stillWanted }) : [],
    );
  }

  async #measure<Cost>(isWanted: () => boolean, work: (isWanted: () => boolean) => Promise<Cost[]>): Promise<Cost[]> {
    if (this.#running) return [];
    this.#running = true;
    this.#sequences.forgetAll();
    try {
      return await work(() => isWanted() && this.#waiting.length === 0);
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
    while (this.#sequences.hasFree) {
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
    try {
      const { sequence, cached } = await this.#sequences.enter(task, this.#lanes.length === 0);
      const { kept } = task;
      const toKeep = !task.fresh && kept && cached < kept.tokens.length / 2 ? kept : undefined;
      const pace = new PromptPace(this.#pace);
      // Behind those that wait for a token now: else whoever always has another short request would always be before them.
      this.#lanes.push({ task, sequence, served: true, begun: false, pace, toKeep, readMs: 0 });
      request.onSequence(cached);
    } catch (error) {
      task.dispose();
      throw error;
    }
  }

  async #round(): Promise<void> {
    const { addon, now } = this.#options;
    const { planned: wanted, turn } = this.#planner.next(this.#lanes);
    // Whatever went wrong: who cancels, or asks whether anybody is there, is heard.
    if (wanted.length === 0) return void (await setImmediate());
    const planned = turn.kind === 'decode' ? await this.#withGuesses(wanted) : wanted;
    const started = now();
    let delivered: Promise<unknown> = Promise.resolve();
    try {
      addon.useAdapter(turn.adapter);
      const { logits, done } = addon.decode(planned.map(({ item }) => item));
      delivered = Promise.all(planned.map(({ lane, item }, index) => deliver(lane.task, item, logits[index] ?? [])));
      await done;
      if (turn.kind === 'prompt') learnPace(planned, turn, now() - started);
      for (const { lane, item } of planned) lane.sequence.tokens.push(...item.tokens);
      await this.#sequences.evaluated(planned.map(({ lane }) => lane.sequence));
    } catch (error) {
      for (const { lane } of planned) {
        lane.task.fail(error);
        this.#sequences.forget(lane.sequence);
      }
    }
    await delivered;
    for (const each of planned) this.#dropWrong(each);
    for (const { lane } of planned) await this.#keep(lane);
  }

  /** With what the small model guesses they say next. */
  async #withGuesses(planned: Planned[]): Promise<Planned[]> {
    const { drafter } = this.#options;
    // A prompt may end with a single token, too: it is guessed from the next round on.
    if (!drafter || planned.some(({ lane, item }) => item.position + 1 !== lane.task.tokens.length)) return planned;
    const guesses = await drafter.guess(planned.map(({ lane }) => ({ task: lane.task, sequence: lane.sequence.id })));
    return planned.map(({ lane, item }, index) => ({ lane, ...withGuesses(item, guesses[index]) }));
  }

  /** Takes back the guesses that the task has not chosen too. */
  #dropWrong({ lane: { task, sequence }, item, guessed = 0 }: Planned): void {
    if (guessed === 0 || sequence.tokens.length === 0) return;
    const kept = acceptedTokens(task, item);
    this.#options.drafter?.plan.learn(guessed, kept - 1);
    const length = item.position + kept;
    if (this.#sequences.rewind(sequence, length) < length) task.fail(new Error('llama.cpp did not take guesses back.'));
  }

  /** Keeps what a lane begins with, when it has read just that. */
  async #keep(lane: Lane): Promise<void> {
    const { toKeep, sequence, readMs } = lane;
    if (!toKeep || sequence.tokens.length < toKeep.tokens.length) return;
    lane.toKeep = undefined;
    await this.#sequences.keep(toKeep, sequence, readMs, this.#lanes.length === 1);
  }

  #releaseEnded(): void {
    for (const { task, sequence } of this.#lanes.filter(({ task }) => task.ended)) {
      task.dispose();
      this.#sequences.release(sequence);
    }
    this.#lanes = this.#lanes.filter(({ task }) => !task.ended);
  }
}
