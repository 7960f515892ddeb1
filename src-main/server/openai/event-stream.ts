import type { FastifyReply } from 'fastify';

/** One event's data. A `type` is its name, too, as the Responses API has it. */
export type StreamEvent = object | '[DONE]';

export interface EventStreamLimits {
  /** Milliseconds after which a silent stream gets a comment, so that nobody thinks it dead. Default 15,000. */
  keepAliveMs: number;
  /** Milliseconds that a client may take to read what was sent to it. Default 60,000. */
  stallMs: number;
}

export const DEFAULT_STREAM_LIMITS: EventStreamLimits = { keepAliveMs: 15_000, stallMs: 60_000 };

/**
 * Server-sent events on a reply. It begins with the first event or comment, so until then the request may still fail with
 * a status of its own. Each `send` waits until the client has taken what was sent before: a slow client slows its own answer
 * down and costs no memory; one that takes nothing for `stallMs` is cut off.
 */
export class EventStream implements Disposable {
  readonly #reply: FastifyReply;
  readonly #stallMs: number;
  readonly #keepAlive: NodeJS.Timeout;
  #started = false;

  constructor(reply: FastifyReply, { keepAliveMs, stallMs }: EventStreamLimits) {
    this.#reply = reply;
    this.#stallMs = stallMs;
    this.#keepAlive = setInterval(() => this.#writeComment('keep-alive'), keepAliveMs);
  }

  /** Whether the status and the first bytes are out. */
  get started(): boolean {
    return this.#started;
  }

  async send(events: readonly StreamEvent[]): Promise<void> {
    if (events.length > 0) await this.#write(events.map(written).join(''));
  }

  /** Clients ignore it; people who look at the stream see it. */
  comment(text: string): Promise<void> {
    return this.#write(`: ${text}\n\n`);
  }

  end(): void {
    this.#reply.raw.end();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#keepAlive);
  }

  #writeComment(text: string): void {
    // Not waited for: behind bytes that nobody reads, a sign of life is of no use.
    if (!this.#reply.raw.writableNeedDrain) void this.comment(text);
  }

  async #write(text: string): Promise<void> {
    const { raw } = this.#reply;
    if (raw.destroyed) return;
    this.#start();
    this.#keepAlive.refresh();
    if (raw.write(text)) return;
    const { promise: drained, resolve } = Promise.withResolvers<void>();
    const stalled = setTimeout(() => raw.destroy(), this.#stallMs);
    raw.once('drain', resolve).once('close', resolve);
    await drained;
    raw.off('drain', resolve).off('close', resolve);
    clearTimeout(stalled);
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#reply.hijack();
    this.#reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      // Proxies that would collect the whole answer first.
      'x-accel-buffering': 'no',
    });
  }
}

function written(event: StreamEvent): string {
  const name = typeof event === 'object' && 'type' in event ? `event: ${event.type}\n` : '';
  return `${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
}
