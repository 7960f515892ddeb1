import { setImmediate as breath } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Passage, SearchEvent, Sources } from '../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { MAX_LONG_FILE_CHARS, MAX_LONG_FILES } from '../../src-preload/contract/limits.ts';
import { say } from '../../src-preload/contract/saying.ts';
import type { LongFile, LongFileStore, NewPassage, Page } from '../store/conversations/long-files.ts';
import { cut, PASSAGE_CHARS } from './cut.ts';
import { WordRanking } from './word-ranking.ts';

/** Most passages that go with a question. */
const MOST_PASSAGES = 8;
/** Passages whose vectors are written down together: what a killed process has to read again. */
const WRITTEN_TOGETHER = 16;
/** Passages that are cut, read from the database or deleted in one go: some milliseconds each, in which the node does nothing else. */
const CUT_TOGETHER = 50;
const COMPARED_TOGETHER = 500;
const READ_TOGETHER = 50;
const DELETED_TOGETHER = 50;

/** What makes vectors of texts: texts of like meaning get vectors that are near each other. */
export interface Embedding {
  /** The embedding model of this computer; undefined where there is none. */
  model(): Promise<EmbeddingModel | undefined>;
}

export interface EmbeddingModel {
  name: string;
  /** Of its file: vectors of different models cannot be compared. */
  sha256: string;
  /** @returns a vector of length 1. @throws what loading the model throws; CANCELLED */
  embed(text: string, as: 'question' | 'passage', signal: AbortSignal): Promise<Float32Array>;
}

export interface LongFilesOptions {
  store: LongFileStore;
  embedding: Embedding;
  log: Logger;
}

/** What is looked for, and how much of it may be taken. */
export interface Search {
  files: readonly number[];
  question: string;
  /** Characters that passages may have in all; one is taken in any case. */
  room: number;
}

/**
 * Files that are too long for a question. Each is cut into passages, of which the nearest to a question go with it: by
 * meaning where an embedding model is on this computer, else by words.
 */
export class LongFiles {
  readonly #options: LongFilesOptions;
  readonly #store: LongFileStore;
  #dropping: Promise<void> | undefined;
  #isMore = false;
  #closed = false;

  constructor(options: LongFilesOptions) {
    this.#options = options;
    this.#store = options.store;
  }

  /** What a node that stopped had still to delete goes on being deleted. Idempotent. */
  async open(): Promise<void> {
    await this.#store.leaveUnasked();
    this.dropGone();
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#dropping;
  }

  /** Begins to delete the files of conversations that are gone, a little at a time, until nothing of them can be read in the database. */
  dropGone(): void {
    this.#isMore = true;
    this.#dropping ??= this.#drop();
  }

  async #drop(): Promise<void> {
    try {
      while (this.#isMore && !this.#closed) {
        this.#isMore = false; // unless somebody says so meanwhile
        if (await this.#store.dropSome(DELETED_TOGETHER)) this.#isMore = true;
        else await this.#store.forgetDeleted();
        await breath();
      }
    } catch (err) {
      this.#options.log.warn(
        { err },
        'files of conversations that are gone could not be deleted; the next start tries again',
      );
    } finally {
      this.#dropping = undefined;
    }
  }

  /**
   * Keeps a file, or the next piece of one, for a question that is not asked yet.
   * @returns its number
   * @throws BAD_REQUEST when it is too long, the conversation has too many, or none of this number
   */
  async add(conversation: string, { name, text, to }: { name: string; text: string; to?: number | undefined }) {
    const files = await this.#store.of(conversation);
    const before = files.find(({ id }) => id === to);
    if (to !== undefined && (!before || before.asked)) throw refused(say('ask.noFile'));
    if ((before?.chars ?? 0) + text.length > MAX_LONG_FILE_CHARS) {
      throw refused(say('ask.fileTooLong', { most: MAX_LONG_FILE_CHARS }));
    }
    if (before) await this.#store.append(before.id, text);
    else if (files.length >= MAX_LONG_FILES) throw refused(say('ask.tooManyFiles', { most: MAX_LONG_FILES }));
    return before?.id ?? (await this.#store.begin(conversation, { name, text }));
  }

  /** Those with these numbers, as a question keeps them. @throws BAD_REQUEST where the conversation lacks one */
  async kept(conversation: string, numbers: readonly number[]) {
    const files = await this.#store.of(conversation);
    return numbers.map((number) => {
      const file = files.find(({ id }) => id === number);
      if (!file) throw refused(say('ask.noFile'));
      return { name: file.name, chars: file.chars, long: file.id };
    });
  }

  /** By which model files are searched now; undefined means by words alone. */
  async searcher(): Promise<string | undefined> {
    return (await this.#options.embedding.model())?.name;
  }

  /**
   * The passages that are nearest to a question. Those that were never read are read first, which is told, and kept:
   * who stops here, or is killed, goes on there the next time.
   * @throws CANCELLED
   */
  async *search(
    conversation: string,
    { files, question, room }: Search,
    signal: AbortSignal,
  ): AsyncGenerator<SearchEvent, Passage[], undefined> {
    const searched = (await this.#store.of(conversation)).filter(({ id }) => files.includes(id));
    for (const { id, uncut } of searched) if (uncut) await this.#cut(id, signal);
    const { by, ids } = yield* this.#rank(searched, question, signal);
    const passages = await this.#taken(ids, searched, room);
    if (passages.length > 0) yield { type: 'sources', sources: { by, passages } };
    return passages;
  }

  /** Goes on behind the passages that are there: a text is always cut in the same places. */
  async #cut(file: number, signal: AbortSignal): Promise<void> {
    const passages = cut(await this.#store.text(file));
    let { total: there } = await this.#store.counted(file, '');
    for (let isLast = false; !isLast; ) {
      const some: NewPassage[] = [];
      for (let pulled = 0; !isLast && pulled < CUT_TOGETHER; pulled++) {
        const { value, done } = passages.next();
        if (done) isLast = true;
        else if (there > 0) there--;
        else some.push(value);
      }
      if (!(await this.#store.addPassages(file, some, isLast))) return;
      await breathe(signal);
    }
  }

  /** Nobody goes without an answer because the embedding model cannot be loaded: words find passages, too. */
  async *#rank(
    files: LongFile[],
    question: string,
    signal: AbortSignal,
  ): AsyncGenerator<SearchEvent, { by: Sources['by']; ids: number[] }, undefined> {
    const model = await this.#options.embedding.model();
    try {
      if (model) return { by: 'meaning', ids: yield* this.#byMeaning(model, files, question, signal) };
    } catch (err) {
      if (signal.aborted) throw err;
      this.#options.log.warn({ err }, 'files are searched by words: the embedding model cannot be used');
    }
    return { by: 'words', ids: await this.#byWords(files, question, signal) };
  }

  async *#byMeaning(
    model: EmbeddingModel,
    files: LongFile[],
    question: string,
    signal: AbortSignal,
  ): AsyncGenerator<SearchEvent, number[], undefined> {
    const asked = await model.embed(question, 'question', signal);
    yield* this.#file(model, files, signal);
    const near: Near[] = [];
    const vectors = (file: number, page: Page) => this.#store.vectors(file, model.sha256, page);
    for await (const page of pagesOf(files, COMPARED_TOGETHER, vectors, signal)) {
      for (const { id, vector } of page) keepNearest(near, { id, nearness: nearness(asked, vector) });
    }
    return near.map(({ id }) => id);
  }

  /** Reads what was never read by this model. */
  async *#file(model: EmbeddingModel, files: LongFile[], signal: AbortSignal): AsyncGenerator<SearchEvent, void> {
    const counted = [];
    for (const { id } of files) counted.push({ id, ...(await this.#store.counted(id, model.sha256)) });
    const total = counted.reduce((sum, file) => sum + file.total, 0);
    let done = counted.reduce((sum, file) => sum + file.done, 0);
    for (const file of counted.filter((one) => one.done < one.total)) {
      for (let after = 0; ; ) {
        const unread = await this.#store.unread(file.id, model.sha256, { after, limit: WRITTEN_TOGETHER });
        if (unread.length === 0) break; // or the conversation is gone
        yield { type: 'filing', done, total };
        const vectors = [];
        for (const { id, text } of unread) vectors.push({ id, vector: await model.embed(text, 'passage', signal) });
        await this.#store.keepVectors(model.sha256, vectors);
        done += unread.length;
        after = unread.at(-1)?.id ?? after;
      }
    }
  }

  /** Where no word of the question is in them, how the files begin. */
  async #byWords(files: LongFile[], question: string, signal: AbortSignal): Promise<number[]> {
    const ranking = new WordRanking(question);
    const texts = (file: number, page: Page) => this.#store.texts(file, page);
    const read = ranking.hasWords ? files : [];
    for await (const page of pagesOf(read, READ_TOGETHER, texts, signal)) {
      for (const passage of page) ranking.read(passage);
    }
    const found = ranking.best(MOST_PASSAGES);
    if (found.length > 0) return found;
    const numbers = files.map(({ id }) => id);
    return await this.#store.first(numbers, MOST_PASSAGES / 2);
  }

  async #taken(ids: readonly number[], files: LongFile[], room: number): Promise<Passage[]> {
    const passages = new Map((await this.#store.passages(ids)).map((passage) => [passage.id, passage]));
    const most = Math.max(1, Math.floor(room / PASSAGE_CHARS));
    return ids.slice(0, most).flatMap((id): Passage[] => {
      const passage = passages.get(id);
      const file = files.find((one) => one.id === passage?.file);
      return passage && file ? [{ file: file.name, page: passage.page, text: passage.text }] : [];
    });
  }
}

/** Goes through the passages of files a page at a time, and lets the node do something else in between. */
async function* pagesOf<Row extends { id: number }>(
  files: readonly LongFile[],
  limit: number,
  read: (file: number, page: Page) => Promise<Row[]>,
  signal: AbortSignal,
): AsyncGenerator<Row[], void, undefined> {
  for (const { id: file } of files) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows: Row[] = await read(file, { after, limit });
      yield rows;
      await breathe(signal);
      after = rows.length < limit ? undefined : rows.at(-1)?.id;
    }
  }
}

/** Lets the node do something else. */
async function breathe(signal: AbortSignal): Promise<void> {
  await breath();
  signal.throwIfAborted();
}

interface Near {
  id: number;
  nearness: number;
}

/** The best first. */
function keepNearest(near: Near[], one: Near): void {
  const last = near[MOST_PASSAGES - 1];
  if (last && one.nearness <= last.nearness) return;
  near.push(one);
  near.sort((a, b) => b.nearness - a.nearness).splice(MOST_PASSAGES);
}

/** The cosine of the angle between vectors of length 1. A plain loop: `reduce` takes five times as long. */
function nearness(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

function refused(message: ReturnType<typeof say>): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, field: 'long' });
}
