import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { freePort } from '../../../support/free-port.ts';

export type Reply = (response: ServerResponse, body: Record<string, unknown>, request: IncomingMessage) => void;

/** A real HTTP server on a port of its own, which it keeps when it is closed, whose answers a test scripts, path by path; it remembers what it was asked. */
export class ScriptedServer {
  readonly asked: { path: string; body: Record<string, unknown>; authorization: string | undefined }[] = [];
  readonly replies = new Map<string, Reply>();
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async open(): Promise<void> {
    this.#port ||= await freePort();
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts = await request.toArray();
    const path = request.url ?? '';
    const body = JSON.parse(Buffer.concat(parts).toString() || '{}');
    this.asked.push({ path, body, authorization: request.headers.authorization });
    const reply = this.replies.get(path) ?? ((each) => sendJson(each, { error: { message: 'not here' } }, 404));
    reply(response, body, request);
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Sends events as they are given (objects become JSON); ends the answer after the last. */
export function sendEvents(response: ServerResponse, events: (object | string)[]): void {
  startEvents(response);
  for (const event of events) sendEvent(response, event);
  response.end();
}

export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

export function sendEvent(response: ServerResponse, event: object | string): void {
  response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
}

export function chatChunk(content: string, more: object = {}): object {
  return { choices: [{ index: 0, delta: { content }, finish_reason: null, ...more }] };
}
