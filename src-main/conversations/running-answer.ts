import type { Logger } from 'pino';
import type { SearchEvent } from '../../src-preload/contract/conversations.ts';
import type { ErrorView } from '../../src-preload/contract/error-schema.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { errorView } from '../base/error-view.ts';
import { Turns } from '../base/turns.ts';
import type { AnswerTurn, ConversationStore } from '../store/conversations/conversations.ts';
import { AnswerDraft, type AnswerDraftOptions } from './answer-draft.ts';
import type { HeardEvent } from './tools/rounds.ts';

/** What has come of an answer is written down within so many milliseconds. */
const SAVE_WITHIN_MS = 1_000;

/** What happens to an answer from its question on. */
export type AnswerStep = SearchEvent | HeardEvent;

export interface RunningAnswerOptions extends AnswerDraftOptions {
  store: Pick<ConversationStore, 'saveAnswer'>;
  log: Logger;
}

/** One answer from the question to its end, written down as it comes. */
export class RunningAnswer {
  readonly #options: RunningAnswerOptions;
  readonly #leaving = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #stoppedAs: 'stopped' | 'interrupted' = 'stopped';
  #timer: NodeJS.Timeout | undefined;
  readonly #saves = new Turns();

  constructor(options: RunningAnswerOptions) {
    this.#options = options;
  }

  /** Resolves when nothing runs any more. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Ends the answer; what came of it is kept. Idempotent. */
  stop(as: 'stopped' | 'interrupted'): void {
    if (!this.#leaving.signal.aborted) this.#stoppedAs = as;
    this.#leaving.abort();
  }

  /**
   * Asks, and writes down what comes. A failure is part of the answer.
   *
   * @param ask asks: aborting the signal, or leaving the stream, cancels the request
   * @param turn the answer, which is empty yet
   * @param onEvent called with everything that happens
   * @returns the answer as it was written down in the end
   * @throws when the disk does not take it
   */
  async run(
    ask: (signal: AbortSignal) => AsyncIterable<AnswerStep>,
    turn: AnswerTurn,
    onEvent: (event: AnswerStep) => void,
  ): Promise<AnswerTurn> {
    const draft = new AnswerDraft(turn, this.#options);
    await this.#take(ask, draft, onEvent);
    clearTimeout(this.#timer);
    await this.#saves.ended();
    await this.#options.store.saveAnswer(draft.turn);
    return draft.turn;
  }

  /** Nothing comes any more, whether or not it ever ran. */
  end(): void {
    this.#ended.resolve();
  }

  async #take(
    ask: (signal: AbortSignal) => AsyncIterable<AnswerStep>,
    draft: AnswerDraft,
    onEvent: (event: AnswerStep) => void,
  ): Promise<void> {
    const { signal } = this.#leaving;
    let done = false;
    try {
      for await (const event of signal.aborted ? [] : ask(signal)) {
        draft.note(event);
        onEvent(event);
        done = event.type === 'done' || draft.full;
        if (draft.full) break;
        this.#saveSoon(draft);
      }
      draft.finish(done || !signal.aborted ? 'done' : this.#stoppedAs);
    } catch (error) {
      if (done) draft.finish('done');
      else if (signal.aborted) draft.finish(this.#stoppedAs);
      else draft.finish('failed', this.#failure(error));
    }
  }

  #failure(error: unknown): ErrorView {
    const named = QuarryError.from(error);
    if (named.code === 'INTERNAL') this.#options.log.error({ err: error }, 'an answer failed');
    return errorView(named);
  }

  #saveSoon(draft: AnswerDraft): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#saves.take(() => this.#save(draft));
    }, SAVE_WITHIN_MS);
  }

  /** What does not get written now may be later, with more. */
  async #save(draft: AnswerDraft): Promise<void> {
    const { store, log } = this.#options;
    await store
      .saveAnswer(draft.turn)
      .catch((err: unknown) => log.warn({ err }, 'an answer could not be written down'));
  }
}
