import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { checkAdapter } from '../../gguf/adapter-file.ts';
import { GgufError } from '../../gguf/gguf-error.ts';
import type { GgufHeader } from '../../gguf/header.ts';
import type { AdapterWeights, Addon } from './loop/addon.ts';

/** Adapters that stay in memory for the next request although nobody uses them: the newest version, its like for comparison, a few others. */
const MOST_IDLE = 4;
/** Bytes of these together, with the one that is loaded next: one of rank 64 for 8 billion parameters has 670 MB, and each look of a run loads another. */
const MOST_IDLE_BYTES = 512 * 2 ** 20;

interface Loaded {
  weights: AdapterWeights;
  bytes: number;
  /** Requests that use it. */
  uses: number;
}

/** An adapter as one request holds it. */
export interface AdapterUse {
  readonly weights: AdapterWeights;
  /** Of its file; one with other bytes has another, also after a restart. */
  readonly key: string;
  /** Once. */
  release(): void;
}

/** The adapters of the loaded model that are in memory, by the files that they were read from. */
export class Adapters {
  readonly #addon: Addon;
  readonly #model: GgufHeader;
  readonly #mostIdleBytes: number;
  /** Least recently used first. */
  readonly #loaded = new Map<string, Loaded>();

  /** @param model header of the loaded model's file @param mostIdleBytes of those that nobody uses. Default 512 MiB */
  constructor(addon: Addon, model: GgufHeader, mostIdleBytes = MOST_IDLE_BYTES) {
    this.#addon = addon;
    this.#model = model;
    this.#mostIdleBytes = mostIdleBytes;
  }

  /**
   * Call only between batches, and one at a time: what is not used any more may be freed.
   * @param path of a GGUF file; a file of the same name with other bytes is another adapter
   * @throws BAD_REQUEST naming `model` where the file is none that fits the loaded model
   */
  async use(path: string): Promise<AdapterUse> {
    const { key, bytes } = await identity(path);
    const loaded = this.#loaded.get(key) ?? (await this.#load(path, bytes));
    this.#loaded.delete(key);
    this.#loaded.set(key, loaded);
    loaded.uses++;
    return { weights: loaded.weights, key, release: () => void loaded.uses-- };
  }

  async #load(path: string, bytes: number): Promise<Loaded> {
    await this.#makeRoom(bytes);
    try {
      await checkAdapter(path, this.#model);
    } catch (error) {
      throw refused(path, error);
    }
    try {
      return { weights: await this.#addon.loadAdapter(path), bytes, uses: 0 };
    } catch (error) {
      throw invalid(path, say('gguf.refused', { why: reason(error) }), error);
    }
  }

  /** @param bytes of the one that is to be loaded */
  async #makeRoom(bytes: number): Promise<void> {
    const idle = [...this.#loaded].filter(([, { uses }]) => uses === 0);
    let sum = idle.reduce((all, [, one]) => all + one.bytes, bytes);
    for (const [place, [key, one]] of idle.entries()) {
      if (idle.length - place < MOST_IDLE && sum <= this.#mostIdleBytes) return;
      sum -= one.bytes;
      this.#loaded.delete(key);
      await this.#addon.freeAdapter(one.weights);
    }
  }
}

/** Changes with the file. @throws BAD_REQUEST where there is none */
async function identity(path: string): Promise<{ key: string; bytes: number }> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
    return { key: [path, dev, ino, size, mtimeNs].join('\0'), bytes: Number(size) };
  } catch (error) {
    throw refused(path, error);
  }
}

function refused(path: string, error: unknown): QuarryError {
  if (error instanceof GgufError) return invalid(path, error.why, error);
  return invalid(
    path,
    say('engine.unreadable', { why: (error as NodeJS.ErrnoException).code ?? reason(error) }),
    error,
  );
}

/** Its folder is nothing that whoever asks has to know. */
function invalid(path: string, why: Saying, cause: unknown): QuarryError {
  const message = say('engine.adapter', { file: basename(path), why });
  return new QuarryError({ code: 'BAD_REQUEST', message, hint: say('engine.otherAdapter'), field: 'model' }, { cause });
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
