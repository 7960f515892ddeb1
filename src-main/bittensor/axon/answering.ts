import { Readable } from 'node:stream';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { RequestHead } from '../synapse/headers.ts';
import type { Caller } from './gate.ts';
import { Refusal } from './refusal.ts';
import type { Chunk, ServedSynapse } from './served-synapse.ts';

/** A request that was let in, whose body has come. */
export interface Question {
  served: ServedSynapse;
  head: RequestHead;
  caller: Caller;
  body: unknown;
  signal: AbortSignal;
}

/** Fields, or a stream that has given its first chunk. */
export type Reply = { fields: object } | { chunks: Readable };

/**
 * Checks the body against what was signed, and asks the handler: whoever works on it has a queue of its own.
 * @throws Refusal; whatever the handler throws before its first chunk
 */
export async function answer(question: Question): Promise<Reply> {
  const { served, head, caller, signal } = question;
  const fields = readFields(question);
  if (served.type.hash(fields) !== head.bodyHash) throw new Refusal(500, 'Hash mismatch between header and body.');
  signal.throwIfAborted();
  if (served.type.streams) return { chunks: await firstOf(chunksOf(question, fields), signal) };
  const answering = (async () => served.handle(fields, caller, signal))();
  return { fields: { ...(fields as object), ...((await orAborted(answering, signal)) as object) } };
}

/** @throws Refusal 422 in FastAPI's words for a body of another shape */
function readFields({ served, body }: Question): unknown {
  const read = served.type.fields.safeParse(body);
  if (read.success) return read.data;
  const { path = [], message = '' } = read.error.issues[0] ?? {};
  throw new InvalidBody([...path.map(String)], message);
}

/** 422, with what is wrong where. */
export class InvalidBody extends Refusal {
  readonly detail: { type: string; loc: string[]; msg: string }[];

  constructor(path: string[], message: string) {
    super(422, 'The body has another shape.');
    this.detail = [{ type: 'value_error', loc: ['body', ...path], msg: message }];
  }
}

async function* chunksOf({ served, caller, signal }: Question, fields: unknown) {
  const chunks = served.handle(fields, caller, signal) as AsyncIterable<Chunk>;
  for await (const chunk of chunks) yield Buffer.from(chunk as Uint8Array);
}

/** What fails before the first chunk can still be told by a status. */
async function firstOf(chunks: AsyncGenerator<Buffer>, signal: AbortSignal): Promise<Readable> {
  try {
    const first = await orAborted(chunks.next(), signal);
    return Readable.from(first.done ? [] : following(first.value, chunks), { objectMode: false, signal });
  } catch (error) {
    void chunks.return(undefined).catch(ignoring('whoever asked hears the first reason'));
    throw error;
  }
}

async function* following(first: Buffer, chunks: AsyncGenerator<Buffer>) {
  yield first;
  yield* chunks;
}

/** A handler that does not listen to its signal keeps its caller waiting no longer than one that does. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** What a failure of ours or of the engine is to whoever asked; undefined where that is nobody's business. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof QuarryError)) return undefined;
  const status = STATUS[error.code];
  if (status === undefined) return undefined;
  const retryAfterMs = error.retryAfterMs ?? (error.retryable ? RETRY_SOON_MS : undefined);
  return new Refusal(status, error.message, { cause: error, retryAfterMs });
}

/** What may go better soon, nobody knows when. */
const RETRY_SOON_MS = 1_000;

const STATUS: Partial<Record<QuarryError['code'], number>> = {
  BAD_REQUEST: 400,
  CONTEXT_TOO_LONG: 400,
  MODEL_NOT_FOUND: 400,
  DEADLINE: 408,
  RATE_LIMIT: 429,
  CANCELLED: 503,
  ENGINE_UNAVAILABLE: 503,
  ENGINE_CRASHED: 503,
  NOT_RUNNING: 503,
  OUT_OF_MEMORY: 503,
  OVERLOADED: 503,
  QUEUE_FULL: 503,
};
