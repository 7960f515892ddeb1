import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LocalServer } from './local-server.ts';

/** Answers a prompt; or sends what it likes itself, and returns nothing. */
export type Answering = (prompt: string, response: ServerResponse) => string | undefined | Promise<string | undefined>;

/** A server that speaks the OpenAI API, one model, and answers as it is told. */
export class ChatServer extends LocalServer {
  /** Prompts that came, in order. */
  readonly asked: string[] = [];
  /** Counts tokens, at `/tokenize`. Default: there is no such path. */
  count: ((prompt: string) => number) | undefined;
  readonly #model: string;
  readonly #answering: Answering;

  constructor(model: string, answering: Answering) {
    super((request, response) => void this.#take(request, response));
    this.#model = model;
    this.#answering = answering;
  }

  /** Ends in `/v1`. */
  get url(): string {
    return `${this.origin}/v1`;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.endsWith('/models')) {
      response.setHeader('content-type', 'application/json');
      return void response.end(JSON.stringify({ object: 'list', data: [{ id: this.#model, object: 'model' }] }));
    }
    const isCounted = this.count !== undefined && request.url?.endsWith('/tokenize');
    if (!isCounted && !request.url?.endsWith('/chat/completions')) return void response.writeHead(404).end();
    const { messages } = JSON.parse(await text(request)) as { messages: { content: string }[] };
    const prompt = messages.at(-1)?.content ?? '';
    if (isCounted) return void response.end(JSON.stringify({ count: this.count?.(prompt) }));
    this.asked.push(prompt);
    const answer = await this.#answering(prompt, response);
    if (answer !== undefined) streamAnswer(response, answer);
  }
}

/** One event of a streamed answer. */
export const chunkOf = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: content ? { content } : {}, finish_reason: finish }],
  })}\n\n`;

export function streamAnswer(response: ServerResponse, answer: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunkOf(answer));
  response.write(chunkOf('', 'stop'));
  response.end('data: [DONE]\n\n');
}
