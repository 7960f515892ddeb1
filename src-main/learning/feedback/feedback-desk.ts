import { randomUUID } from 'node:crypto';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import {
  FEEDBACK_STATES,
  type Feedback,
  type FeedbackState,
  isTeaching,
  type KeptAnswer,
  type NewFeedback,
} from '../../../src-preload/contract/learning.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Changes } from '../../base/changes.ts';
import { errorView } from '../../base/error-view.ts';
import { keptError } from '../../base/kept-json.ts';
import type { CompletionRow, CompletionStore } from '../../store/learning/learning-completions.ts';
import type { FeedbackOfAnswer, FeedbackPage, FeedbackStore } from '../../store/learning/learning-feedback.ts';
import { textHash, visibleText } from '../visible-text.ts';

/** Of a question and an answer, what is shown beside feedback, in UTF-16 units. */
const SHOWN = 1_000;
/** A run learns four pieces in some minutes. */
const MOST_KEPT = 10_000;

export interface FeedbackDeskOptions {
  completions: Pick<CompletionStore, 'find' | 'findByText' | 'isPrivate' | 'newest'>;
  feedback: FeedbackStore;
  /** Name of the adapter that learns where none is named, as it is set now. */
  adapter: () => string;
  /** Told when there is new feedback, or less. */
  changes: Pick<Changes, 'tell'>;
  /** How much of it may wait, or be noted. Default 10,000. */
  most?: number;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/** By what an answer is found: its id, or what people see of it. */
export type AnswerSought = Pick<NewFeedback, 'answer' | 'seen'>;

/** Takes what people say of answers, and knows what became of it. */
export class FeedbackDesk {
  readonly #options: FeedbackDeskOptions;

  constructor(options: FeedbackDeskOptions) {
    this.#options = options;
  }

  /** By the id first, then the newest by what people see of it; none whose conversation has become private. @throws ANSWER_NOT_FOUND */
  async answer({ answer, seen }: AnswerSought): Promise<CompletionRow> {
    const { completions } = this.#options;
    if (answer !== undefined && (await completions.isPrivate(answer))) throw notKept();
    const found =
      (answer !== undefined && (await completions.find(answer))) ||
      (seen !== undefined && (await completions.findByText(textHash(seen))));
    if (!found) throw notKept();
    return found;
  }

  /** Answers that something can be said of, the newest first. */
  async answers(limit: number): Promise<{ answers: KeptAnswer[]; more: boolean }> {
    const rows = await this.#options.completions.newest(limit + 1);
    const answers = rows.slice(0, limit).map(({ text, question, adapter: version, ...row }) => ({
      ...{ ...row, version, question: begin(question ?? ''), seen: begin(visibleText(text)) },
    }));
    return { answers, more: rows.length > limit };
  }

  /**
   * Keeps what is said of an answer: to be learnt, or, of a thumb, as it is.
   * @throws as {@link giveAll}
   */
  async give(said: NewFeedback): Promise<Feedback> {
    const [given] = await this.giveAll([said]);
    if (!given) throw notKept();
    return given;
  }

  /**
   * Keeps what is said of some answers, all of it or nothing.
   * @param how `training`: how a client wants it to be learnt, as JSON; default: by the settings. `beyond`: a key that more of the same would have
   * @throws ANSWER_NOT_FOUND; BAD_REQUEST where something else was said with these keys; LEARNING_BUSY where too much waits or is noted already: each holds its answer
   */
  async giveAll(
    said: readonly NewFeedback[],
    { training = null, beyond }: { training?: string | null; beyond?: string } = {},
  ): Promise<Feedback[]> {
    const { feedback, changes, now = Date.now, most = MOST_KEPT } = this.#options;
    const given = await Promise.all(
      said.map(async ({ kind, text = null, adapter, key = randomUUID(), ...sought }) => {
        const answer = await this.answer(sought);
        const about = { name: adapter ?? this.#options.adapter(), kind, text, training };
        const state: FeedbackState = isTeaching(kind) ? 'waiting' : 'noted';
        return { answer, adapter, row: { ...about, at: now(), key, completion: answer.id, state, run: null } };
      }),
    );
    if (beyond !== undefined && (await feedback.isKnown(beyond))) throw otherContent();
    const ids = await feedback.add(
      given.map(({ row }) => row),
      most,
    );
    if (ids === 'full') throw tooMuch(most);
    if (ids === 'mixed') throw otherContent();
    if (ids === undefined) throw notKept(); // forgotten meanwhile
    const rows = await Promise.all(ids.map((id) => this.#row(id)));
    for (const [at, { answer, adapter, row }] of given.entries()) {
      const kept = rows[at];
      if (!kept || !isSame(kept, { ...row, name: adapter ?? kept.name }, answer)) throw otherContent();
    }
    changes.tell();
    return rows.map(shown);
  }

  /** Newest first. */
  async list({ limit, ...page }: FeedbackPage): Promise<{ feedback: Feedback[]; more: boolean }> {
    const rows = await this.#options.feedback.list({ ...page, limit: limit + 1 });
    return { feedback: rows.slice(0, limit).map(shown), more: rows.length > limit };
  }

  /** What was rejected or put aside waits again. @throws BAD_REQUEST where one is not there, or was neither: then all stay as they are */
  async retry(ids: readonly number[]): Promise<Feedback[]> {
    for (const id of ids) await this.#find(id);
    const other = await this.#options.feedback.retry(ids);
    if (other) throw notTried(await this.#find(other.id));
    this.#options.changes.tell();
    return await Promise.all(ids.map((id) => this.#find(id)));
  }

  /** @throws BAD_REQUEST when there is none, or it is being learnt or learnt */
  async withdraw(id: number): Promise<Feedback> {
    const waited = await this.#options.feedback.withdraw(id);
    const found = await this.#find(id);
    if (!waited && found.state !== 'withdrawn') throw tooLate(found.state);
    this.#options.changes.tell();
    return found;
  }

  async #find(id: number): Promise<Feedback> {
    return shown(await this.#row(id));
  }

  /** @throws BAD_REQUEST where there is none */
  async #row(id: number): Promise<FeedbackOfAnswer> {
    const row = await this.#options.feedback.find(id);
    if (row) return row;
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('learning.noFeedback', { id }), field: 'id' });
  }
}

const DAMAGED = say('learning.damagedFeedback');
const damaged = () => new QuarryError({ code: 'INTERNAL', message: DAMAGED });

/** As people look at it; where something of it cannot be read any more, it says so. */
function shown({ completion, name, question, said, state, failure, ...row }: FeedbackOfAnswer): Feedback {
  const { id, at, kind, text, run } = row;
  const about = { answer: completion, question: begin(question ?? ''), seen: begin(visibleText(said)) };
  const shared = { id, at, ...about, adapter: name, kind, text, run };
  // No run takes what is in no state that there is.
  if (!FEEDBACK_STATES.includes(state)) return { ...shared, state: 'aside', failure: errorView(damaged()) };
  return { ...shared, state, failure: failure === null ? null : keptError(failure, DAMAGED) };
}

/** Whether it is what was said with its key. An answer that looks the same may have come in between, and be found where no id is given. */
function isSame(
  row: FeedbackOfAnswer,
  { kind, text, name, training }: Pick<FeedbackOfAnswer, 'kind' | 'text' | 'name' | 'training'>,
  answer: CompletionRow,
): boolean {
  const isOfAnswer = row.completion === answer.id || textHash(row.said) === answer.text_hash;
  return isOfAnswer && row.kind === kind && row.text === text && row.name === name && row.training === training;
}

/** Cut between characters. */
function begin(text: string): string {
  return text.slice(0, SHOWN).toWellFormed();
}

function notKept(): QuarryError {
  return new QuarryError({
    code: 'ANSWER_NOT_FOUND',
    message: say('learning.notKept'),
    hint: say('learning.notKept.hint'),
    field: 'answer',
  });
}

function otherContent(): QuarryError {
  const [message, hint] = [say('learning.keyOfOther'), say('learning.keyOfOther.hint')];
  return new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'key' });
}

function tooMuch(most: number): QuarryError {
  const [message, hint] = [say('learning.tooMuch', { most }), say('learning.tooMuch.hint')];
  return new QuarryError({ code: 'LEARNING_BUSY', message, hint });
}

/** A run learns from it, or has learnt. */
function tooLate(state: FeedbackState): QuarryError {
  const [message, hint] =
    state === 'taken'
      ? [say('learning.takenNow'), say('learning.takenNow.hint')]
      : [say('learning.learntAlready'), say('learning.undoInstead')];
  return new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'id' });
}

/** It cannot be tried again. */
function notTried({ id, state }: Feedback): QuarryError {
  if (state === 'taken' || state === 'learnt') return tooLate(state);
  const message = state === 'noted' ? say('learning.thumbTeachesNothing', { id }) : say('learning.takenBack', { id });
  return new QuarryError({ code: 'BAD_REQUEST', message, hint: say('learning.sayItAnew'), field: 'ids' });
}
