import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Address } from 'hyperdht';
import { entryModule, installedPath } from '../base/installation.ts';
import { ignoring } from '../base/swallowed.ts';
import { MeasuredProcess } from './measured-process.ts';
import type { ProcessFigures } from './process-figures.ts';

const START_MS = 180_000;
const LOOK_MS = 50;
const MEBIBYTE = 1024 ** 2;

/** `quarry start` in a process of its own, with the built-in model and one thread. A resource: close it. */
export class WholeNode {
  readonly #folder: string;
  #process: MeasuredProcess | undefined;
  #url = '';
  #headers: Record<string, string> = {};

  /** @param folder its data folder */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param env settings beside those that let it work on a busy machine */
  async open({ host, port }: Address, env: Record<string, string> = {}): Promise<void> {
    const flags = ['--headless', '--data', this.#folder, '--bootstrap', `${host}:${port}`, '--port', '0'];
    const start = ['start', '--mine', ...flags, '--model', installedPath('resources', 'tiny.gguf')];
    const settings = { QUARRY_THREADS: '1', QUARRY_LIMITS_REFUSE_WHEN_OVERLOADED: 'false', ...env };
    this.#process = new MeasuredProcess({
      program: [fileURLToPath(entryModule('cli')), ...start],
      env: { ...process.env, ...settings },
    });
    await this.#find();
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** As {@link fetch}, at the node's own address and as its owner. */
  async fetch(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    return await fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
  }

  async status(): Promise<{ id: string; peers: number }> {
    return ((await (await this.fetch('/rpc/node/status', {})).json()) as { json: { id: string; peers: number } }).json;
  }

  async residentMiB(): Promise<number> {
    const text = await (await fetch(`${this.#url}/metrics`, { headers: this.#headers })).text();
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / MEBIBYTE;
  }

  /** What its main process takes. @throws Error when it has ended or does not answer; see {@link MeasuredProcess.figures} */
  async figures(): Promise<ProcessFigures> {
    if (!this.#process) throw new Error('The node is not open.');
    return await this.#process.figures();
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await this.#process?.close();
  }

  /** The node writes where it is, and what opens it, into its folder. */
  async #find(): Promise<void> {
    const end = performance.now() + START_MS;
    for (; !this.#url; await sleep(LOOK_MS)) {
      if (performance.now() > end || this.#process?.hasEnded) throw new Error('The node did not start.');
      const text = await readFile(join(this.#folder, 'node.json'), 'utf8').catch(ignoring('it is not there yet'));
      const { url = '', token } = text ? JSON.parse(text) : {};
      this.#url = url;
      this.#headers = { authorization: `Bearer ${token}` };
    }
  }
}
