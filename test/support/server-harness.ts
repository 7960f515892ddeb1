import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import OpenAI from 'openai';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import type { AnswerEvent, GenerateOptions, ScoreRequest } from '../../src-main/inference/backend.ts';
import { HttpServer } from '../../src-main/server/http-server.ts';
import type { Generator } from '../../src-main/server/openai/generator.ts';
import type { ServerOptions } from '../../src-main/server/server-options.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';

type Script = (request: GenerateRequest, signal: AbortSignal | undefined) => AsyncIterable<AnswerEvent>;

/** A generator whose answers a test scripts; it remembers what it was asked. */
export class ScriptedGenerator implements Generator {
  readonly asked: GenerateRequest[] = [];
  script: Script = () => says('Hello', ' there');

  generate(request: GenerateRequest, options?: GenerateOptions): AsyncIterable<AnswerEvent> {
    this.asked.push(request);
    return this.script(request, options?.signal);
  }

  /** Every character is a token, as likely as its place. */
  async score({ continuation }: ScoreRequest) {
    const tokens = [...continuation].map((token, at) => ({ ...probability(String(token), -at), top: [] }));
    return { tokens, totalLogprob: 0 };
  }

  async embed(inputs: string[]) {
    return { vectors: inputs.map((text) => [text.length, 0.5]), promptTokens: 3 };
  }
}

export function probability(token: string, logprob: number) {
  return { token, id: 1, bytes: [...Buffer.from(token)], logprob };
}

export async function* says(...pieces: string[]): AsyncGenerator<AnswerEvent> {
  for (const text of pieces) yield { type: 'chunk', text, tokens: 1 };
  yield done({ text: pieces.join('') });
}

/** An answer that fails before its first word. */
export async function* fails(error: unknown): AsyncGenerator<AnswerEvent> {
  yield* [];
  throw error;
}

export function done(result: Partial<GenerateResult> = {}): AnswerEvent {
  return {
    type: 'done',
    result: {
      text: '',
      finish: 'stop',
      promptTokens: 5,
      cachedTokens: 2,
      completionTokens: 2,
      queuedMs: 0,
      firstTokenMs: 30,
      totalMs: 50,
      tokensPerSecond: 40,
      ...result,
    },
  };
}

/** One chunk, then nothing until the signal aborts: resolves `aborted` then. */
export function endless(): { script: Script; aborted: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const script: Script = async function* (_request, signal) {
    try {
      yield { type: 'chunk', text: 'first', tokens: 1 };
      await new Promise<void>((ended) => signal?.addEventListener('abort', () => ended(), { once: true }));
      throw new QuarryError({ code: 'CANCELLED', message: 'cancelled' });
    } finally {
      if (signal?.aborted) resolve();
    }
  };
  return { script, aborted: promise };
}

/** What commands of the same user bring. */
export const LOCAL_TOKEN = 'the local token of every server in tests';
export const AS_OWNER = { authorization: `Bearer ${LOCAL_TOKEN}` };

/** Servers that are open, by their address. */
const open = new Map<string, HttpServer>();
/** Cookies of browsers that came in by a link, by the server's address. */
const entered = new Map<string, string>();

export interface Harness {
  server: HttpServer;
  generator: ScriptedGenerator;
  url: string;
  client: OpenAI;
}

/** A server that is closed with the test that opens it. */
export async function openServer(options: Partial<ServerOptions> = {}): Promise<Harness> {
  const generator = new ScriptedGenerator();
  const server = new HttpServer({
    port: 0,
    localToken: LOCAL_TOKEN,
    log: pino({ level: 'silent' }),
    models: () => [
      { name: 'tiny', kind: 'local', contextSize: 4096 },
      { name: 'org/model', kind: 'mesh' },
    ],
    route: (model) => (['tiny', 'local', 'org/model'].includes(model) ? generator : undefined),
    health: () => ({ ok: true, engine: 'ready' }),
    ...options,
  });
  onTestFinished(() => server.close());
  await server.open();
  const { url } = server;
  open.set(url, server);
  onTestFinished(() => void (open.delete(url) && entered.delete(url)));
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: options.token ?? 'none', maxRetries: 0 });
  return { server, generator, url, client };
}

/** The cookie that a browser gets by a link of the server at this address; the same one again for the same server. */
export async function enteredCookie(url: string): Promise<string> {
  const cookie = entered.get(url) ?? cookieOf(await raw(open.get(url)?.entry().url ?? ''));
  entered.set(url, cookie);
  return cookie;
}

/** The cookie as a browser sends it back. */
export function cookieOf({ headers }: Pick<RawResponse, 'headers'>): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

export function chat(messages: unknown = [{ role: 'user', content: 'Hi' }], more: object = {}): object {
  return { model: 'tiny', messages, ...more };
}

/** As tests look into it: without a type. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
type Json = any;

export interface RawResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  json: Json;
}

/** A request as it stands, without what a client library would make of it. */
export async function raw(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | object } = {},
): Promise<RawResponse> {
  const body = typeof options.body === 'object' ? JSON.stringify(options.body) : options.body;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(url, {
      method: options.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...options.headers },
      agent: new Agent({ keepAlive: false }),
    });
    request.once('response', resolve).once('error', reject);
    request.end(body);
  });
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // it is no JSON
  }
}

/** The data of each event of a stream. */
export function events(text: string): (Json | '[DONE]')[] {
  const data = text.split('\n\n').filter((event) => event.startsWith('data: '));
  return data.map((event) => parsed(event.slice(6)) ?? '[DONE]');
}

/** The value of each line of `/metrics`. */
export async function scrape(url: string): Promise<Map<string, number>> {
  const { text, headers, status } = await raw(`${url}/metrics`);
  expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}
