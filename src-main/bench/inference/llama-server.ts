import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { ChatMessage } from '../../../src-preload/contract/request.ts';
import { onPath } from '../../base/on-path.ts';
import { ignoring } from '../../base/swallowed.ts';

export interface LlamaServerOptions {
  /** The program: {@link findLlamaServer}. */
  program: string;
  model: string;
  threads: number;
  /** Requests decoded together. */
  parallel: number;
  /** Tokens of one request. */
  contextSize: number;
}

const START_MS = 60_000;

/** @param given a path. Default: the one on PATH, or none */
export function findLlamaServer(given?: string): string | undefined {
  return given ?? onPath('llama-server');
}

/** llama.cpp's own server on a free port of this machine: the peer that the engine is measured against. */
export class LlamaServer {
  readonly #options: LlamaServerOptions;
  #child: ChildProcess | undefined;
  #url = '';

  constructor(options: LlamaServerOptions) {
    this.#options = options;
  }

  /** @throws ENGINE_UNAVAILABLE when it does not come up within a minute */
  async open(): Promise<void> {
    if (this.#child) return;
    const { program, model, threads, parallel, contextSize } = this.#options;
    const port = await freePort();
    const flags = { '-m': model, '-t': threads, '-np': parallel, '-c': parallel * contextSize, '--port': port };
    const child = spawn(
      program,
      ['--host', '127.0.0.1', '--no-ui', ...Object.entries(flags).flatMap(([flag, value]) => [flag, String(value)])],
      { stdio: 'ignore' },
    );
    this.#child = child;
    this.#url = `http://127.0.0.1:${port}`;
    const failed = once(child, 'error').then(([error]) => error as Error);
    const started = await Promise.race([this.#isUp(child), failed]);
    if (started === true) return;
    await this.close();
    throw new QuarryError({
      code: 'ENGINE_UNAVAILABLE',
      message: `${program} did not start${started instanceof Error ? `: ${started.message}` : ''}.`,
      hint: 'Build it from the same llama.cpp: node_modules/node-llama-cpp/llama/gitRelease.bundle, target llama-server.',
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Greedy and without its prompt cache. @returns the tokens generated */
  async complete(prompt: string, tokens: number): Promise<number> {
    const body = { prompt, n_predict: tokens, temperature: 0, cache_prompt: false };
    const answer = await this.#post<{ tokens_predicted: number }>('/completion', body);
    return answer.tokens_predicted;
  }

  /** Greedy, with its prompt cache. */
  async chat(messages: readonly ChatMessage[], tokens: number): Promise<{ text: string; tokens: number }> {
    const body = { messages, max_tokens: tokens, temperature: 0 };
    const answer = await this.#post<{
      choices: [{ message: { content: string } }];
      usage: { completion_tokens: number };
    }>('/v1/chat/completions', body);
    return { text: answer.choices[0].message.content, tokens: answer.usage.completion_tokens };
  }

  async #isUp(child: ChildProcess): Promise<boolean> {
    const end = Date.now() + START_MS;
    while (Date.now() < end && child.exitCode === null && child.signalCode === null) {
      const response = await fetch(`${this.#url}/health`).catch(ignoring('it does not listen yet'));
      if (response?.ok) return true;
      await sleep(100);
    }
    return false;
  }

  async #post<T>(path: string, body: object): Promise<T> {
    const response = await fetch(this.#url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`llama-server: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
