import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'smol-toml';
import { dataPath } from '../../base/data-folder.ts';
import { Turns } from '../../base/turns.ts';
import { type Config, loadConfig } from '../../settings/config.ts';
import type { App } from '../app.ts';
import { createApp } from '../create-app.ts';
import type { WantedParts } from '../domains.ts';

/** One node of the demonstration: a real one, with a folder, a key and a ledger of its own. */
export class DemoNode implements AsyncDisposable {
  readonly name: string;
  readonly #dataDir: string;
  readonly #turns = new Turns();
  #app: App | undefined;
  #id: string | undefined;

  /** @param folder the demonstration's */
  constructor(name: string, folder: string) {
    this.name = name;
    this.#dataDir = join(folder, name);
  }

  /** @throws when it is not there */
  get app(): App {
    if (!this.#app) throw new Error(`${this.name} is not there.`);
    return this.#app;
  }

  get modelsFolder(): string {
    return dataPath(this.#dataDir, 'models');
  }

  get isHere(): boolean {
    return this.#app !== undefined;
  }

  /** Known once it was there. */
  get id(): string {
    return this.#id ?? '';
  }

  /** Comes, or comes back as something else: with the same key and ledger. */
  async open(config: Config, parts: WantedParts): Promise<App> {
    return await this.#turns.take(async () => {
      await this.#leave();
      const dataDir = this.#dataDir;
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      // Its settings stand in its file: its screens show what it really has.
      await writeFile(dataPath(dataDir, 'config'), stringify(ownSettings({ ...config, nodeName: this.name })), {
        mode: 0o600,
      });
      const app = await createApp({ ...config, nodeName: this.name, dataDir }, parts);
      this.#id = app.identity.id;
      this.#app = app;
      return app;
    });
  }

  /** Goes. Idempotent. */
  async close(): Promise<void> {
    await this.#turns.take(() => this.#leave());
  }

  /** Goes for good: its key and all that it was owed go too. */
  async remove(): Promise<void> {
    await this.close();
    await rm(this.#dataDir, { recursive: true, force: true, maxRetries: 3 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #leave(): Promise<void> {
    const app = this.#app;
    this.#app = undefined;
    await app?.[Symbol.asyncDispose]();
  }
}

/** What is set differently from the defaults. Where its data is, the node knows anyway. */
function ownSettings({ dataDir: _, ...config }: Config): object {
  return differing(config, loadConfig({ env: {}, readFile: () => undefined }));
}

function differing(own: object, usual: object): object {
  const usually = new Map<string, unknown>(Object.entries(usual));
  const entries = Object.entries(own).flatMap(([key, value]) => {
    const other = usually.get(key);
    if (value === undefined || isDeepStrictEqual(value, other)) return [];
    return [[key, isTable(value) && isTable(other) ? differing(value, other) : value]];
  });
  return Object.fromEntries(entries);
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
