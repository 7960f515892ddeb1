import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type {
  Answered,
  AskOptions,
  AttachedFile,
  Conversation,
  ConversationEvent,
  HeldConversation,
  Turn,
} from '../../src-preload/contract/conversations.ts';
import { DEFAULTS } from '../../src-preload/contract/defaults.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { AskEvent, AskRequest } from '../../src-preload/contract/inference.ts';
import { type AnswerDoor, answerOfTurn, type KeepAs } from '../../src-preload/contract/kept-answers.ts';
import { MAX_MESSAGES } from '../../src-preload/contract/limits.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { DATA } from '../base/data-folder.ts';
import { EventQueue } from '../base/event-queue.ts';
import { explainSqliteError } from '../base/sqlite-error.ts';
import type { AnswerTurn, ConversationStore, NewTurn, StoredTurn } from '../store/conversations/conversations.ts';
import { answeredLately } from './answered.ts';
import { type BranchTurn, branchOf, newestLeaf, shownTurn } from './branches.ts';
import { longFilesOf, type Question, requestFor, roomIn, titleOf } from './conversation-request.ts';
import type { LongFiles } from './long-files.ts';
import { type AnswerStep, RunningAnswer } from './running-answer.ts';
import { type Ask, askInRounds } from './tools/rounds.ts';

export const MAX_CONVERSATIONS = 10_000;
/** Of all branches. With a system prompt and the next question, that makes as many messages as a request may have. */
export const MAX_TURNS = MAX_MESSAGES - 2;

/** What the newest turns say of who was asked is known well enough. */
const ANSWERS_LOOKED_AT = 300;

/** What somebody asks, as it comes: `long` are numbers of long files. */
export interface NewQuestion {
  text: string;
  files?: AttachedFile[] | undefined;
  long?: readonly number[] | undefined;
  /** Where it is asked. Default: on the screens. */
  door?: AnswerDoor;
}

export interface ConversationsOptions {
  store: ConversationStore;
  longFiles: LongFiles;
  /** Asks a model. @param keepAs absent where the answer is to be kept nowhere else */
  ask: (request: AskRequest, signal: AbortSignal, keepAs?: KeepAs) => AsyncIterable<AskEvent>;
  /** Who else keeps answers that this node's own model gave. Default: nobody. */
  kept?: KeptAnswers;
  /** Tokens that the one who is asked has room for, question and answer together. Default: as in {@link DEFAULTS}. */
  contextSize?: (options: AskOptions) => Promise<number>;
  /** Name of the model of this machine that answers for a name, null for its own: noted with its answers. Default: unknown. */
  localModel?: (asked: string | null) => string | undefined;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/** Answers that are kept elsewhere, so that the model can learn from them. */
export interface KeptAnswers {
  /** Forgets these. Idempotent. */
  forget(ids: readonly string[]): Promise<void>;
  /** Forgets these, with what was said of them, as far as nothing was learnt from it; nothing more is. Idempotent. */
  makePrivate(ids: readonly string[]): Promise<void>;
  /** Forgets those of all conversations. */
  forgetConversations(): Promise<void>;
}

/** Where a question and its answer stand, and where it was asked. */
interface Place {
  after: number | null;
  dropped?: number | undefined;
  door?: AnswerDoor | undefined;
}

/** A question that is kept, and will be asked now. */
interface Begun {
  options: AskOptions;
  earlier: BranchTurn[];
  question: Question;
  turns: Turn[];
  turn: AnswerTurn;
  conversation: Conversation;
  /** Under which id somebody else may keep the answer; undefined where nobody may. */
  keepAs: KeepAs | undefined;
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
    await this.#options.longFiles.open();
    const interrupted = await this.#store.interruptAll();
    if (interrupted > 0) this.#options.log.info({ interrupted }, 'answers were cut off when the node stopped');
  }

  /** Resolves when no answer is being given. */
  async rest(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Ends what runs, as `interrupted`. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end([...this.#running.values()], 'interrupted');
    await this.#options.longFiles.close();
  }

  /**
   * Takes a long file, or the next piece of one, for a question that is asked then.
   * @returns its number
   * @throws BAD_REQUEST when there is no such conversation or file, or too much of them; DISK_FULL
   */
  async addFile(id: string, piece: { name: string; text: string; to?: number | undefined }): Promise<{ long: number }> {
    await this.#find(id);
    try {
      return { long: await this.#options.longFiles.add(id, piece) };
    } catch (error) {
      throw explainSqliteError(error, DATA.database.name);
    }
  }

  /** By which model long files are searched; null where they are by words alone. */
  async searcher(): Promise<{ model: string | null }> {
    return { model: (await this.#options.longFiles.searcher()) ?? null };
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

  /** What becomes private is forgotten elsewhere, with what was said of it and waits to be learnt. @throws BAD_REQUEST when there is none */
  async update(id: string, changes: { title?: string; options?: AskOptions }): Promise<Conversation> {
    if (changes.options?.private) await this.#options.kept?.makePrivate(await this.#keptAnswers(id)); // first: what says that it is private is so
    await this.#store.update(id, changes);
    return await this.#find(id);
  }

  /** How those who were asked answered lately. */
  async answered(): Promise<Answered[]> {
    return answeredLately(await this.#store.newestAnswers(ANSWERS_LOOKED_AT));
  }

  /** Ends its answer too, if one is coming. Idempotent. */
  async remove(id: string): Promise<void> {
    const running = this.#running.get(id);
    running?.stop('stopped');
    await this.#options.kept?.forget(await this.#keptAnswers(id));
    await this.#store.remove(id);
    this.#options.longFiles.dropGone();
    await this.#end(running ? [running] : [], 'stopped');
  }

  async removeAll(): Promise<void> {
    const running = [...this.#running.values()];
    for (const answer of running) answer.stop('stopped');
    await this.#options.kept?.forgetConversations();
    await this.#store.removeAll();
    this.#options.longFiles.dropGone();
    await this.#end(running, 'stopped');
  }

  /**
   * Keeps a question, then asks it: the turns as they are kept, everything that happens, and how it ended. Leaving the
   * stream, or its signal, stops the answer; what came of it is kept.
   *
   * @throws BAD_REQUEST when there is no such conversation, it is full, or an answer is coming; DISK_FULL
   */
  ask(id: string, question: NewQuestion, signal?: AbortSignal): AsyncGenerator<ConversationEvent, void, undefined> {
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
      const { turns, turn, conversation, ...asked } = await begin();
      events.push({ type: 'turns', turns });
      const steps = (signal: AbortSignal) => this.#steps(id, asked, signal);
      const ended = await answer.run(steps, turn, (event) => events.push(event));
      // Of an answer in rounds, one may have come to its end before the next was cut.
      const isCut = ended.answer.state !== 'done' && (asked.options.tools ?? []).length > 0;
      const present = await this.#store.find(id);
      // It may have become private, or have been removed, while the answer came.
      const isKept = !isCut && present !== undefined && !present.options.private;
      if (asked.keepAs && !isKept) await this.#options.kept?.forget([asked.keepAs.id]);
      free();
      events.push({ type: 'ended', turn: ended, conversation: present ?? conversation });
      events.end();
    } catch (error) {
      free();
      events.fail(explainSqliteError(error, DATA.database.name));
    }
  }

  /** Looks for what long files say to a question, and asks. */
  async *#steps(
    id: string,
    { options, earlier, question, keepAs }: Pick<Begun, 'options' | 'earlier' | 'question' | 'keepAs'>,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerStep> {
    const { longFiles, contextSize = async () => DEFAULTS.contextSize } = this.#options;
    const ask: Ask = (request, stopped) => this.#options.ask(request, stopped, keepAs);
    const files = longFilesOf([...earlier, question]);
    const request = requestFor(options, earlier, question);
    if (files.length === 0) return yield* askInRounds(ask, request, signal, this.#now);
    const search = { files, question: question.text, room: roomIn(request, await contextSize(options)) };
    const passages = yield* longFiles.search(id, search, signal);
    yield* askInRounds(ask, requestFor(options, earlier, question, passages), signal, this.#now);
  }

  async #keepQuestion(id: string, { text, files = [], long = [], door }: NewQuestion): Promise<Begun> {
    const { branch } = await this.#readWithRoom(id);
    const question = { text, files: [...files, ...(await this.#options.longFiles.kept(id, long))] };
    const added = [this.#asked(question)];
    return await this.#begin(id, branch, question, { added, after: branch.at(-1)?.id ?? null, door });
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
    { added, door = 'playground', ...place }: Place & { added: NewTurn[] },
  ): Promise<Begun> {
    const { options } = await this.#find(id);
    const at = this.#now();
    const step = { at, title: titleOf(question.text), added: [...added, emptyAnswer(options, at)], ...place };
    // While its turn can still be found: killed in between, the next try finds both.
    if (place.dropped !== undefined) await this.#options.kept?.forget([answerOfTurn(place.dropped)]);
    if (!(await this.#store.advance(id, step))) throw noConversation();
    const { conversation, turns } = await this.get(id);
    const turn = turns.at(-1);
    if (!turn?.answer) throw noConversation(); // removed meanwhile
    const keepAs = options.private ? undefined : { id: answerOfTurn(turn.id), door };
    return { options, earlier, question, turns, turn: { ...turn, answer: turn.answer }, conversation, keepAs };
  }

  /** What others keep of it, by their ids. */
  async #keptAnswers(id: string): Promise<string[]> {
    const turns = this.#options.kept ? await this.#store.ownAnswers(id) : [];
    return turns.map(answerOfTurn);
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
