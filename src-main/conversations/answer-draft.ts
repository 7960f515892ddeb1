import type { SearchEvent } from '../../src-preload/contract/conversations.ts';
import type { ErrorView } from '../../src-preload/contract/error-schema.ts';
import type { AnswerTurn } from '../store/conversations/conversations.ts';
import type { HeardEvent } from './tools/rounds.ts';

/** Longest answer that is kept, in characters. */
export const MAX_ANSWER_CHARS = 4_000_000;

type Answer = AnswerTurn['answer'];

export interface AnswerDraftOptions {
  /** Unix milliseconds; an answer began at its turn's `at`. */
  now: () => number;
  /** Name of the model of this machine that answers for a name, null for its own: noted with its answers. Default: unknown. */
  localModel?: (asked: string | null) => string | undefined;
}

/** An answer as it comes: what would be kept of it now. */
export class AnswerDraft {
  readonly #options: AnswerDraftOptions;
  #turn: AnswerTurn;

  constructor(turn: AnswerTurn, options: AnswerDraftOptions) {
    this.#turn = turn;
    this.#options = options;
  }

  get turn(): AnswerTurn {
    return this.#turn;
  }

  /** Nothing more fits in. */
  get full(): boolean {
    return this.#turn.text.length >= MAX_ANSWER_CHARS;
  }

  note(event: HeardEvent | SearchEvent): void {
    const { text, answer } = this.#turn;
    if (event.type === 'sources') this.#change(text, { sources: event.sources });
    if (event.type === 'worker') this.#change(text, { worker: event.worker, model: event.model ?? answer.model });
    if (event.type === 'version') this.#change(text, { version: event.version });
    if (event.type === 'restart') this.#change('', { tokens: 0, firstTokenMs: null }); // another worker begins anew
    if (event.type === 'chunk') {
      const firstTokenMs = answer.firstTokenMs ?? this.#elapsed();
      this.#change(text + event.text, { tokens: answer.tokens + event.tokens, firstTokenMs, model: this.#model() });
    }
    if (event.type === 'call') {
      const others = (answer.uses ?? []).filter(({ number }) => number !== event.call.number);
      this.#change(text, { uses: [...others, event.call] });
    }
    if (event.type === 'paid') {
      const { worker, credits, from } = event;
      this.#change(text, { paid: [...answer.paid, { worker, credits, from }] });
    }
    if (event.type === 'done') {
      const { completionTokens: tokens, firstTokenMs, totalMs, tokensPerSecond } = event.result;
      this.#change(event.result.text, { tokens, firstTokenMs, totalMs, tokensPerSecond });
    }
  }

  finish(state: Answer['state'], error: ErrorView | null = null): void {
    const { text, answer } = this.#turn;
    this.#change(text, { state, error, totalMs: answer.totalMs ?? this.#elapsed() });
  }

  #change(text: string, changes: Partial<Answer>): void {
    this.#turn = { ...this.#turn, text: text.slice(0, MAX_ANSWER_CHARS), answer: { ...this.#turn.answer, ...changes } };
  }

  /** A node may load its model only when it is asked, so it is known once there is a first word. */
  #model(): string | null {
    const { target, model } = this.#turn.answer;
    return (target === 'local' ? this.#options.localModel?.(model) : undefined) ?? model;
  }

  #elapsed(): number {
    return Math.max(0, this.#options.now() - this.#turn.at);
  }
}
