/**
 * `quarry/client`: a program asks a node of Quarry, and through it the mesh.
 *
 * @example One question to the mesh, by the node that runs on this computer
 * ```ts
 * import { connect } from 'quarry/client';
 *
 * await using quarry = await connect();
 * const { text, credits } = await quarry.ask('What is a mesh?').result;
 * console.log(text, `(${credits} credits)`);
 * ```
 *
 * @module
 */
import { resolve } from 'node:path';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { statusSchema } from '../../src-preload/contract/node.ts';
import { defaultDataDir } from '../base/data-folder.ts';
import { NODE_NEEDED } from '../base/node-needed.ts';
import { Answer, type AskOptions, type Question } from './answer.ts';
import { type AskableModel, askableModels } from './askable-models.ts';
import { checkedAnswer } from './checked-answer.ts';
import { namedError } from './named-error.ts';
import { type NodeClient, type NodeLink, openLink, type Reachable } from './node-link.ts';

export type { ErrorCode } from '../../src-preload/contract/errors.ts';
export type { Answer, AnswerPiece, AskOptions, AskResult, Question } from './answer.ts';
export type { AskableModel } from './askable-models.ts';
export type { NodeClient } from './node-link.ts';
export { QuarryError };

/** Which node is asked. */
export interface ConnectOptions {
  /**
   * Data folder of a node that runs on this computer, for this account: its address and a token are found there. Default: the
   * variable `QUARRY_DATA_DIR`, else the folder in which Quarry keeps things by itself.
   */
  dataDir?: string | undefined;
  /** Address of a node, here or elsewhere: `https://quarry.example.org`. In the place of `dataDir`. */
  url?: string | undefined;
  /** With `url`: the node's API token (its setting `apiToken`). Over plain HTTP whoever reads along has it too. */
  token?: string | undefined;
  /** Milliseconds in which the node has to answer for the first time. Default 15,000. */
  timeoutMs?: number | undefined;
  /** Ends the wait with CANCELLED. */
  signal?: AbortSignal | undefined;
}

/** What makes an answer a node's: the rest of it may be of another version. */
const nodeSchema = statusSchema.pick({ id: true, version: true, role: true });

const DEFAULT_PATIENCE_MS = 15_000;

/**
 * Connects with a running node, and waits for one that is starting.
 *
 * @throws QuarryError NOT_RUNNING where none runs, or none answers at the address; UNAUTHORIZED for another token; UNSUPPORTED
 * where something else answers; DATA_DIR_IN_USE where one does not get up; DEADLINE, CANCELLED, BAD_REQUEST
 *
 * @example The node of a data folder of its own
 * ```ts
 * import { connect } from 'quarry/client';
 *
 * await using quarry = await connect({ dataDir: process.env.QUARRY_DATA_DIR });
 * const { id, role } = await quarry.rpc.node.status();
 * console.log(`${id.slice(0, 8)} is a ${role}`);
 * ```
 *
 * @example A node elsewhere
 * ```ts
 * import { connect, QuarryError } from 'quarry/client';
 *
 * try {
 *   await using quarry = await connect({ url: 'https://quarry.example.org', token: process.env.QUARRY_API_TOKEN ?? '' });
 *   console.log(await quarry.models());
 * } catch (error) {
 *   if (!(error instanceof QuarryError)) throw error;
 *   console.error(error.code, error.message, error.hint); // NOT_RUNNING, UNAUTHORIZED …
 * }
 * ```
 */
export async function connect(options: ConnectOptions = {}): Promise<QuarryClient> {
  const { timeoutMs = DEFAULT_PATIENCE_MS, signal } = options;
  checkNode();
  const patience = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  const where = await findNode(options, patience);
  const client = new QuarryClient(where.url, await openLink(where));
  try {
    checkedAnswer(nodeSchema, await client.rpc.node.status(undefined, { signal: patience }), where.url);
    return client;
  } catch (error) {
    await client.close();
    throw atAddress(error, where.url);
  }
}

/** A connection with a node. Close it, or declare it with `await using`. */
export class QuarryClient implements AsyncDisposable {
  /** Address of the node. */
  readonly url: string;
  /**
   * Everything that the screens and the commands can do, typed: `rpc.<domain>.<verb>(input, { signal })`. Every failure is a
   * QuarryError. What it offers is `quarry/contract`; it changes with the version.
   *
   * @example Live figures of the node
   * ```ts
   * import { connect } from 'quarry/client';
   *
   * await using quarry = await connect();
   * for await (const { peers, credits } of await quarry.rpc.node.watch()) {
   *   console.log(`${peers} peers, ${credits.available} credits`);
   *   break; // to leave the loop ends the call at the node too
   * }
   * ```
   */
  readonly rpc: NodeClient;
  readonly #link: NodeLink;

  /** @see connect */
  constructor(url: string, link: NodeLink) {
    this.url = url;
    this.rpc = link.node;
    this.#link = link;
  }

  /**
   * Asks one question, or goes on with a conversation. It is under way at once: read its pieces, or wait for its result.
   *
   * @example The answer as it comes
   * ```ts
   * import { connect } from 'quarry/client';
   *
   * await using quarry = await connect();
   * const answer = quarry.ask('Why is the sky blue?', { target: 'local', maxTokens: 64, timeoutMs: 60_000 });
   * let text = '';
   * for await (const piece of answer) text = piece.anew ? '' : text + piece.text;
   * const { finish, completionTokens, tokensPerSecond } = await answer.result;
   * console.log(text, finish, completionTokens, Math.round(tokensPerSecond));
   * ```
   *
   * @example A conversation, given up after ten seconds
   * ```ts
   * import { connect, type Question, QuarryError } from 'quarry/client';
   *
   * await using quarry = await connect();
   * const question: Question = [
   *   { role: 'user', content: 'Name a colour.' },
   *   { role: 'assistant', content: 'Blue.' },
   *   { role: 'user', content: 'Another one.' },
   * ];
   * try {
   *   const { text } = await quarry.ask(question, { target: 'local', signal: AbortSignal.timeout(10_000) }).result;
   *   console.log(text);
   * } catch (error) {
   *   if (!(error instanceof QuarryError) || error.code !== 'DEADLINE') throw error;
   *   console.log('It took too long.');
   * }
   * ```
   */
  ask(question: Question, options: AskOptions = {}): Answer {
    return new Answer(this.rpc, question, options);
  }

  /**
   * What can be asked now: the node's own model, the others of its library, and those that connected workers of the mesh serve.
   *
   * @example
   * ```ts
   * import { connect } from 'quarry/client';
   *
   * await using quarry = await connect();
   * for (const { name, target, workers } of await quarry.models()) console.log(`${target}: ${name} (${workers})`);
   * ```
   */
  async models(options: { signal?: AbortSignal | undefined } = {}): Promise<AskableModel[]> {
    return await askableModels(this.rpc, this.url, options);
  }

  /** Ends what is under way, with CANCELLED. Idempotent. */
  async close(): Promise<void> {
    await this.#link[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** @throws UNSUPPORTED: on older ones the library that reads the lock of a data folder ends the process */
function checkNode(): void {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= NODE_NEEDED) return;
  const message = `quarry/client needs Node ${NODE_NEEDED} or newer, and this is Node ${node}.`;
  throw new QuarryError({ code: 'UNSUPPORTED', message });
}

async function findNode({ url, token, dataDir }: ConnectOptions, signal: AbortSignal): Promise<Reachable> {
  if (url === undefined) {
    const { reachableNode } = await import('./running-node.ts'); // the lock's library: who has an address needs none of it
    const folder = resolve(dataDir ?? process.env.QUARRY_DATA_DIR ?? defaultDataDir());
    try {
      return await reachableNode(folder, signal);
    } catch (error) {
      const named = namedError(error, signal);
      throw named.code === 'NOT_RUNNING' ? startFirst(named.message, named) : named;
    }
  }
  if (dataDir !== undefined)
    throw wrongOption('dataDir', 'A node is named by its data folder or its address, not by both.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw wrongOption('url', `«${url}» is no address of a node: http://127.0.0.1:7070 is one.`);
  }
  return { url, token };
}

function wrongOption(field: string, message: string): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, field });
}

/** Of a node that never answered, where it was looked for and what to do. */
function atAddress(error: unknown, url: string): unknown {
  if (!(error instanceof QuarryError)) return error;
  if (error.code === 'NOT_RUNNING') return startFirst(`No node answers at ${url}.`, error);
  if (error.code !== 'INTERNAL' && error.code !== 'PROTOCOL') return error;
  const message = `What answers at ${url} is no node of Quarry, or one of another version: ${error.message}`;
  return new QuarryError({ code: 'UNSUPPORTED', message }, { cause: error });
}

function startFirst(message: string, cause: QuarryError): QuarryError {
  const hint = 'Start one: quarry start --headless. Which ones run: quarry ps.';
  return new QuarryError({ code: 'NOT_RUNNING', message, hint, retryable: true }, { cause });
}
