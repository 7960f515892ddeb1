import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type {
  Answered,
  AskOptions,
  Conversation,
  ConversationEvent,
  HeldConversation,
  Turn,
} from '../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { AskRequest } from '../../src-preload/contract/inference.ts';
import { MAX_MESSAGES } from '../../src-preload/contract/limits.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { EventQueue } from '../base/event-queue.ts';
import { explainSqliteError } from '../base/sqlite-error.ts';
import type { AnswerTurn, ConversationStore, NewTurn, StoredTurn } from '../store/conversations.ts';
import { answeredLately } from './answered.ts';
import { type BranchTurn, branchOf, newestLeaf, shownTurn } from './branches.ts';
import { type Question, requestFor, titleOf } from './conversation-request.ts';
import { type Ask, RunningAnswer } from './running-answer.ts';

export const MAX_CONVERSATIONS = 10_000;
/** Of all branches. With a system prompt and the next question, that makes as many messages as a request may have. */
export const MAX_TURNS = MAX_MESSAGES - 2;

/** What the newest turns say of who was asked is known well enough. */
const ANSWERS_LOOKED_AT = 300;

export interface ConversationsOptions {
  store: ConversationStore;
  ask: Ask;
  /** Name of the model that this node has loaded: noted with its answers. Default: unknown. */
  localModel?: () => string | undefined;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/** A question that is kept, and will be asked now. */
interface Begun {
  request: AskRequest;
  turns: Turn[];
  turn: AnswerTurn;
  conversation: Conversation;
}

/**
 * Conversations with models, kept in the database: a question before it is asked, its answer as it comes. A resource; its
 * store's database outlives it.
 */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #store: ConversationStore;
  readonly #now: () => number;
  readonly #running = new Map<string, RunningAnswer>();
  #closed = false;

  constructor(options: ConversationsOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#now = options.now ?? Date.now;
  }

  /** Answers that a process which died was giving are `interrupted` from here on. Idempotent. */
  async open(): Promise<void> {
    const interrupted = await this.#store.interruptAll();
    if (interrupted > 0) this.#options.log.info({ interrupted }, 'answers were cut off when the node stopped');
  }

  /** Ends what runs, as `interrupted`. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end([...this.#running.values()], 'interrupted');
  }

  /** Those that something was asked in last come first. */
  async list(query: { limit: number; search?: string | undefined }): Promise<Conversation[]> {
    return await this.#store.list(query);
  }

  /** @throws BAD_REQUEST when there are {@link MAX_CONVERSATIONS} */
  async create(options: AskOptions): Promise<Conversation> {
    if ((await this.#store.count()) >= MAX_CONVERSATIONS) throw tooMany();
    const at = this.#now();
    const conversation = { id: randomUUID(), title: '', createdAt: at, updatedAt: at, options };
    await this.#store.insert(conversation);
    return conversation;
  }

  /** The branch that is shown. @throws BAD_REQUEST when there is no such conversation */
  async get(id: string): Promise<HeldConversation> {
    const conversation = await this.#find(id);
    return { conversation, turns: (await this.#read(id)).branch.map(shownTurn) };
  }

  /** Shows the branch of a turn. @throws BAD_REQUEST when there is no such conversation or turn, or an answer is coming */
  async show(id: string, turn: number): Promise<HeldConversation> {
    if (this.#running.has(id)) throw answering();
    const all = await this.#store.turns(id);
    if (!all.some((one) => one.id === turn)) throw noTurn();
    await this.#store.show(id, newestLeaf(all, turn));
    return await this.get(id);
  }

  /** @throws BAD_REQUEST when there is none */
  async update(id: string, changes: { title?: string; options?: AskOptions }): Promise<Conversation> {
    await this.#store.update(id, changes);
    return await this.#find(id);
  }

  /** How those who were asked answered lately. */
  async answered(): Promise<Answered[]> {
    return answeredLately(await this.#store.newestAnswers(ANSWERS_LOOKED_AT));
  }

  /** Ends its answer too, if one is coming. Idempotent. */
  async remove(id: string): Promise<void> {
    await this.#store.remove(id);
    const running = this.#running.get(id);
    await this.#end(running ? [running] : [], 'stopped');
  }

  async removeAll(): Promise<void> {
    const running = [...this.#running.values()];
    await this.#store.removeAll();
    await this.#end(running, 'stopped');
  }

  /**
   * Keeps a question, then asks it: the turns as they are kept, everything that happens, and how it ended. Leaving the
   * stream, or its signal, stops the answer; what came of it is kept.
   *
   * @throws BAD_REQUEST when there is no such conversation, it is full, or an answer is coming; DISK_FULL
   */
  ask(id: string, question: Question, signal?: AbortSignal): AsyncGenerator<ConversationEvent, void, undefined> {
    return this.#stream(id, () => this.#keepQuestion(id, question), signal);
  }

  /**
   * Asks something else in place of an earlier question; streams and stops like {@link ask}. What was there stays as a branch of its own.
   *
   * @throws BAD_REQUEST when there is no such conversation or question, it is full, or an answer is coming; DISK_FULL
   */
  edit(
    id: string,
    { turn, text }: { turn: number; text: string },
    signal?: AbortSignal,
  ): AsyncGenerator<ConversationEvent, void, undefined> {
    return this.#stream(id, () => this.#branch(id, turn, text), signal);
  }

  /**
   * Asks the last question again; streams and stops like {@link ask}. The answer before stays as another version, unless there was none.
   *
   * @throws BAD_REQUEST when there is no such conversation, nothing was asked yet, or an answer is coming; DISK_FULL
   */
  regenerate(id: string, signal?: AbortSignal): AsyncGenerator<ConversationEvent, void, undefined> {
    return this.#stream(id, () => this.#askAgain(id), signal);
  }

  async *#stream(
    id: string,
    begin: () => Promise<Begun>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ConversationEvent, void, undefined> {
    const answer = this.#claim(id);
    const leave = () => answer.stop('stopped');
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave, { once: true });
    const events = new EventQueue<ConversationEvent>();
    void this.#answer(id, answer, begin, events); // goes on to its end whether or not anyone reads
    try {
      yield* events;
    } finally {
      signal?.removeEventListener('abort', leave);
      leave();
      await answer.ended;
    }
  }

  /** One answer at a time. */
  #claim(id: string): RunningAnswer {
    if (this.#closed) throw new QuarryError({ code: 'NOT_RUNNING', message: say('ask.closing') });
    if (this.#running.has(id)) throw answering();
    const answer = new RunningAnswer({ ...this.#options, now: this.#now });
    this.#running.set(id, answer);
    return answer;
  }

  async #answer(
    id: string,
    answer: RunningAnswer,
    begin: () => Promise<Begun>,
    events: EventQueue<ConversationEvent>,
  ): Promise<void> {
    const free = () => {
      this.#running.delete(id); // before the reader hears of the end, and asks the next
      answer.end();
    };
    try {
      const { request, turns, turn, conversation } = await begin();
      events.push({ type: 'turns', turns });
      const ended = await answer.run(request, turn, (event) => events.push(event));
      const present = (await this.#store.find(id)) ?? conversation;
      free();
      events.push({ type: 'ended', turn: ended, conversation: present });
      events.end();
    } catch (error) {
      free();
      events.fail(explainSqliteError(error, 'quarry.db'));
    }
  }

  async #keepQuestion(id: string, question: Question): Promise<Begun> {
    const { branch } = await this.#readWithRoom(id);
    const added = [this.#asked(question)];
    return await this.#begin(id, branch, question, { added, after: branch.at(-1)?.id ?? null });
  }

  async #branch(id: string, turn: number, text: string): Promise<Begun> {
    const { all } = await this.#readWithRoom(id);
    const replaced = all.find((one) => one.id === turn && one.role === 'user');
    if (!replaced) throw noTurn();
    const { parent, files } = replaced;
    const earlier = parent === null ? [] : branchOf(all, parent);
    const question = { text, files };
    return await this.#begin(id, earlier, question, { added: [this.#asked(question)], after: parent });
  }

  async #askAgain(id: string): Promise<Begun> {
    await this.#find(id);
    const { branch } = await this.#read(id);
    const [question, answer] = branch.slice(-2);
    if (!question || !answer) throw nothingAsked();
    if (answer.text !== '') await this.#readWithRoom(id);
    const dropped = answer.text === '' ? answer.id : undefined;
    return await this.#begin(id, branch.slice(0, -2), question, { added: [], after: question.id, dropped });
  }

  #asked({ text, files }: Question): NewTurn {
    return { role: 'user', text, at: this.#now(), files, answer: null };
  }

  /** Turns of all branches, and those of the one that is shown. */
  async #read(id: string): Promise<{ all: StoredTurn[]; branch: BranchTurn[] }> {
    const all = await this.#store.turns(id);
    return { all, branch: branchOf(all, await this.#store.leaf(id)) };
  }

  /** The same. @throws BAD_REQUEST where nothing more fits in */
  async #readWithRoom(id: string): Promise<{ all: StoredTurn[]; branch: BranchTurn[] }> {
    const read = await this.#read(id);
    if (read.all.length >= MAX_TURNS) throw full();
    return read;
  }

  /** Writes down that an answer is coming. */
  async #begin(
    id: string,
    earlier: BranchTurn[],
    question: Question,
    { added, ...place }: { added: NewTurn[]; after: number | null; dropped?: number | undefined },
  ): Promise<Begun> {
    const { options } = await this.#find(id);
    const at = this.#now();
    const step = { at, title: titleOf(question.text), added: [...added, emptyAnswer(options, at)], ...place };
    if (!(await this.#store.advance(id, step))) throw noConversation();
    const { conversation, turns } = await this.get(id);
    const turn = turns.at(-1);
    if (!turn?.answer) throw noConversation(); // removed meanwhile
    return {
      request: requestFor(options, earlier, question),
      turns,
      turn: { ...turn, answer: turn.answer },
      conversation,
    };
  }

  async #find(id: string): Promise<Conversation> {
    const conversation = await this.#store.find(id);
    if (!conversation) throw noConversation();
    return conversation;
  }

  async #end(answers: RunningAnswer[], as: 'stopped' | 'interrupted'): Promise<void> {
    for (const answer of answers) answer.stop(as);
    await Promise.all(answers.map(({ ended }) => ended));
  }
}

/** The answer that is coming. */
function emptyAnswer({ target, model }: AskOptions, at: number): NewTurn {
  const figures = { tokens: 0, firstTokenMs: null, totalMs: null, tokensPerSecond: null, paid: [] };
  const answer = { state: 'answering', target, model: model ?? null, worker: null, error: null, ...figures } as const;
  return { role: 'assistant', text: '', at, answer };
}

function noConversation(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('ask.noConversation'), field: 'id' });
}

function noTurn(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('ask.noTurn'), field: 'turn' });
}

function answering(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('ask.answering'),
    hint: say('ask.waitOrStop'),
    field: 'id',
  });
}

function nothingAsked(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('ask.nothingAsked'), field: 'id' });
}

function full(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('ask.full'),
    hint: say('ask.beginNew'),
    field: 'id',
  });
}

function tooMany(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('ask.tooMany', { most: MAX_CONVERSATIONS }),
    hint: say('ask.removeOld'),
  });
}
