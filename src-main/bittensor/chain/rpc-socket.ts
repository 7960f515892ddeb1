import { WebSocket } from 'ws';
import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { jsonExcess } from '../../base/json-shape.ts';
import { ListenerSet } from '../../base/listener-set.ts';
import { nonsense } from './shapes.ts';

/** How patient a connection is, and how much it takes. */
export interface RpcLimits {
  /** Milliseconds until the endpoint has to be there. Default 15,000. */
  connectMs?: number;
  /** Milliseconds until a request has to be answered. Default 30,000. */
  requestMs?: number;
  /** Bytes of one message. Default 16 MiB: nodes give 15 at most. */
  maxBytes?: number;
}

/** What the endpoint said to a request: `code` is JSON-RPC's, `data` says more. Both are a stranger's words, cleaned. */
export class RpcRefusal extends Error {
  readonly code: number;
  readonly data: string;

  constructor({ code, message, data }: z.infer<typeof REFUSAL>) {
    super(shortened(message));
    this.name = 'RpcRefusal';
    this.code = code;
    this.data = data === undefined ? '' : shortened(typeof data === 'string' ? data : JSON.stringify(data));
  }
}

const MOST_WORDS = 300;
const REFUSAL = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const ANSWER = z.object({ id: z.number(), result: z.unknown().optional(), error: z.unknown().optional() });
const NEWS = z.object({
  params: z.object({ subscription: z.union([z.string(), z.number()]), result: z.unknown() }),
});

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/**
 * JSON-RPC over one WebSocket to a node that may hang, lie or end: every request ends in time, every message has a largest size, and
 * what does not belong to a request is passed over. It does not come back by itself: {@link ChainConnection} makes another.
 */
export class RpcSocket {
  readonly #socket: WebSocket;
  readonly #requestMs: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #followed = new Map<string, (news: unknown) => void>();
  readonly #ended = new ListenerSet<[QuarryError]>();
  #end: QuarryError | undefined;
  #lastId = 0;

  private constructor(socket: WebSocket, requestMs: number) {
    this.#socket = socket;
    this.#requestMs = requestMs;
    socket.on('message', (message) => this.#heard(message as Buffer));
    socket.on('error', (error) => this.#over(lost(error.message)));
    socket.on('close', () => this.#over(lost()));
  }

  /** @param signal ends it, also before it is there @throws CHAIN_UNREACHABLE when nobody is there in time */
  static async open(url: string, limits: RpcLimits = {}, signal?: AbortSignal): Promise<RpcSocket> {
    const { connectMs = 15_000, requestMs = 30_000, maxBytes = 16 * 2 ** 20 } = limits;
    const socket = new WebSocket(url, { maxPayload: maxBytes, handshakeTimeout: connectMs, followRedirects: false });
    const rpc = new RpcSocket(socket, requestMs);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.once('open', resolve);
    rpc.onEnd(reject);
    const close = () => rpc.close();
    signal?.addEventListener('abort', close);
    rpc.onEnd(() => signal?.removeEventListener('abort', close));
    if (signal?.aborted) close();
    await promise;
    return rpc;
  }

  /** Why it ended; undefined while it lasts. */
  get end(): QuarryError | undefined {
    return this.#end;
  }

  /** Told once, when it ends; at once if it has. @returns what ends that */
  onEnd(listener: (why: QuarryError) => void): () => void {
    if (this.#end) listener(this.#end);
    return this.#ended.subscribe(listener);
  }

  /**
   * @returns the answer, which may be anything: hold it to a shape
   * @throws RpcRefusal for what the node says no to; DEADLINE when it says nothing in time; CHAIN_UNREACHABLE when the connection ends
   */
  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    if (this.#end) throw this.#end;
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => reject(tooSlow()), this.#requestMs);
    this.#waiting.set(id, { resolve, reject, timer });
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** Hears of something until the connection ends. News that come before the node has named the subscription are lost: the next tells as much. */
  async follow(method: string, onNews: (news: unknown) => void): Promise<void> {
    this.#followed.set(String(await this.request(method)), onNews);
  }

  /** Ends it. Idempotent. */
  close(): void {
    this.#over(lost());
  }

  #heard(bytes: Buffer): void {
    // Sixteen MiB of brackets would keep the main thread, and hundreds of MiB of memory.
    if (jsonExcess(bytes)) {
      this.#over(nonsense('a message of more parts than any answer has'));
      return;
    }
    const message = parsed(String(bytes));
    const answer = ANSWER.safeParse(message);
    if (answer.success) {
      const { id, result, error } = answer.data;
      const refusal = REFUSAL.safeParse(error);
      if (!error) this.#waiting.get(id)?.resolve(result);
      else this.#waiting.get(id)?.reject(refusal.success ? new RpcRefusal(refusal.data) : nonsense(refusal.error));
      return;
    }
    const news = NEWS.safeParse(message);
    if (news.success) this.#followed.get(String(news.data.params.subscription))?.(news.data.params.result);
  }

  #over(why: QuarryError): void {
    if (this.#end) return;
    this.#end = why;
    this.#socket.terminate();
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#followed.clear();
    this.#ended.tell(why);
    this.#ended.clear();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON answers no request
  }
}

function lost(why = ''): QuarryError {
  const message = why
    ? say('bittensor.chain.lostBecause', { why: shortened(why) })
    : say('bittensor.chain.connectionEnded');
  return new QuarryError({ code: 'CHAIN_UNREACHABLE', message, retryable: true });
}

function tooSlow(): QuarryError {
  return new QuarryError({ code: 'DEADLINE', message: say('bittensor.chain.noAnswer'), retryable: true });
}

function shortened(words: string): string {
  return foreignLine(words).slice(0, MOST_WORDS);
}
