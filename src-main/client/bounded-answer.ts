import { QuarryError } from '../../src-preload/contract/errors.ts';

/** Most bytes of an answer that is no stream. */
export const MAX_ANSWER_BYTES = 64 * 2 ** 20;
/** Most bytes of one event of a stream: the end of an answer of a million tokens has some five million. */
export const MAX_EVENT_BYTES = 16 * 2 ** 20;

const STREAM = 'text/event-stream';
/** What the contract is answered with. */
const KINDS = ['application/json', STREAM];
const EVENT_END = '\n\n';
const NEWLINE = 0x0a;

/**
 * An answer of a node, read no further than an honest one goes, and not a moment longer than its signal lets it: fetch loses sight of
 * the signal once nobody holds the request, while the body is still read.
 * @throws QuarryError UNSUPPORTED for what no node answers with; its body is not read
 */
export async function boundedAnswer(response: Response, signal: AbortSignal): Promise<Response> {
  const foreign = foreignTo(response);
  if (foreign !== undefined) {
    await response.body?.cancel();
    throw noNode(response.url, foreign);
  }
  const { body, status, headers } = response;
  if (!body) return response;
  const bounded = body.pipeThrough(kindOf(response) === STREAM ? eventBound() : answerBound(), { signal });
  return new Response(bounded, { status, headers });
}

/** What else than a node has answered; undefined where it may be one. A failure is named by its status, whoever tells of it. */
function foreignTo(response: Response): string | undefined {
  const { status, headers } = response;
  if (status >= 400) return undefined;
  if (status >= 300) return `sent elsewhere (${status}): ${quoted(headers.get('location') ?? 'without saying where')}`;
  const kind = kindOf(response);
  return KINDS.includes(kind) ? undefined : `sent ${kind === '' ? 'something of no kind' : quoted(kind)}`;
}

function kindOf({ headers }: Response): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function answerBound(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) throw tooLarge(`more than ${MAX_ANSWER_BYTES / 2 ** 20} MB in one answer`);
      controller.enqueue(chunk);
    },
  });
}

/** Counts from the last end of an event on. A node ends each with two newlines. */
function eventBound(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let last: number | undefined;
  return new TransformStream({
    transform(chunk, controller) {
      const end = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).lastIndexOf(EVENT_END);
      if (end !== -1) bytes = chunk.length - end;
      else bytes = last === NEWLINE && chunk[0] === NEWLINE ? chunk.length : bytes + chunk.length;
      last = chunk.at(-1);
      if (bytes > MAX_EVENT_BYTES) throw tooLarge(`more than ${MAX_EVENT_BYTES / 2 ** 20} MB in one event`);
      controller.enqueue(chunk);
    },
  });
}

function tooLarge(what: string): QuarryError {
  const message = `The node sent ${what}, which none that is in order does; the rest was not read.`;
  return new QuarryError({ code: 'PROTOCOL', message });
}

function noNode(url: string, what: string): QuarryError {
  const message = `What answers at ${new URL(url).origin} is no node of Quarry: it ${what} in the place of an answer.`;
  return new QuarryError({
    code: 'UNSUPPORTED',
    message,
    hint: 'Is the address right, and no other server before it?',
  });
}

/** A stranger's words, as far as they fit into a sentence. */
function quoted(words: string): string {
  return `«${words.slice(0, 200)}»`;
}
