import { createHash } from 'node:crypto';
import type { Token } from 'node-llama-cpp';
import { type OnTrial, PromptFiles, type PromptFilesOptions } from './prompt-files.ts';

/** The beginning of a prompt that may be kept on the disk when it was evaluated, or be there. */
export interface KeptPrompt {
  readonly tokens: readonly Token[];
  /** All that its keys and values depend on, 64 hex. */
  readonly key: string;
}

/** Keeps them; what a batch loop needs of it. Nothing of it throws: without it a prompt is read. */
export interface PromptKeeper {
  /**
   * Has a sequence hold what was kept, in place of what it held. Call only between batches.
   * @param mostMs what takes longer is left
   * @returns `broken` where the sequence holds nothing of use now
   */
  load(prompt: KeptPrompt, sequence: number, mostMs: number): Promise<'loaded' | 'absent' | 'broken'>;
  /** A batch went well after what was loaded last of it. Until then it is not there: what ends the engine, or every answer, does so once. */
  trust(prompt: KeptPrompt): Promise<void>;
  /**
   * Writes what a sequence holds, which is the prompt and no more. Call only between batches.
   * @param readMs what evaluating it took
   * @param mostMs what takes longer is not written
   */
  save(prompt: KeptPrompt, sequence: number, readMs: number, mostMs: number): Promise<void>;
}

/** Where prompts are kept, and of what. */
export interface KeepPromptsOptions extends PromptFilesOptions {
  /** SHA-256 of the model's file, 64 hex. */
  model: string;
}

/** Bytes that are read and written in a millisecond, before any were: a slow drive and a quick one's memory. */
const READ_RATE = 100_000;
const WRITE_RATE = 500_000;
/** So many times as long as it takes to read it from the disk must evaluating it have taken. */
const WORTH = 3;
/** In so many milliseconds no more is written than may be kept at all: instructions that are new with each question wear out no drive. */
const HOUR_MS = 3_600_000;
/** Nobody else waits where so much time is given: then the first may be written whose size nobody knows yet. */
const LONG_MS = 1_000;
/** And so many tokens of it: a gigabyte, with the largest caches. */
const FIRST_TOKENS = 4_096;

/** What of llama.cpp's context is needed. */
export interface SequenceFiles {
  /** @returns bytes written */
  saveSequence(path: string, sequence: number, tokens: readonly Token[]): Promise<number>;
  /** @returns the tokens that the sequence holds now */
  loadSequence(path: string, sequence: number, most: number): Promise<Uint32Array>;
}

export interface KeptPromptsOptions {
  addon: SequenceFiles;
  /** All that changes what keys and values are, beside the model's file: llama.cpp's version, the cache's type, how positions are scaled. */
  way: string;
  /** Tokens that a sequence has room for. */
  contextSize: number;
  warn: (text: string) => void;
  /** Milliseconds, monotonic. */
  now: () => number;
}

/** Instructions on the disk, of the loaded model, once it is told where. */
export class KeptPrompts implements PromptKeeper {
  readonly #options: KeptPromptsOptions;
  #files: PromptFiles | undefined;
  #model = '';
  #most = 0;
  #bytesPerToken = 0;
  #readRate = READ_RATE;
  #writeRate = WRITE_RATE;
  #written = { since: Number.NEGATIVE_INFINITY, bytes: 0 };
  /** What was loaded and no batch has followed on yet, by its key. */
  readonly #onTrial = new Map<string, OnTrial>();

  constructor(options: KeptPromptsOptions) {
    this.#options = options;
  }

  /** Where they are from now on. */
  use({ model, ...files }: KeepPromptsOptions): void {
    this.#model = model;
    this.#most = files.most;
    this.#files = new PromptFiles(files);
  }

  /** @param adapter names it; another of the same name is another one. Default: the model as it is */
  prompt(tokens: readonly Token[], adapter = ''): KeptPrompt | undefined {
    if (!this.#files) return undefined;
    const hash = createHash('sha256').update(JSON.stringify([this.#model, this.#options.way, adapter]));
    return { tokens, key: hash.update(Uint32Array.from(tokens)).digest('hex') };
  }

  async load(prompt: KeptPrompt, sequence: number, mostMs: number): Promise<'loaded' | 'absent' | 'broken'> {
    try {
      return (await this.#load(prompt, sequence, mostMs)) ?? 'absent';
    } catch (error) {
      this.#options.warn(`A prompt on the disk cannot be used: ${error}`);
      return 'broken';
    }
  }

  async save(prompt: KeptPrompt, sequence: number, readMs: number, mostMs: number): Promise<void> {
    try {
      await this.#save(prompt, sequence, { readMs, mostMs });
    } catch (error) {
      this.#options.warn(`A prompt cannot be kept on the disk: ${error}`);
    }
  }

  async trust({ key }: KeptPrompt): Promise<void> {
    const trial = this.#onTrial.get(key);
    this.#onTrial.delete(key);
    if (trial) await this.#files?.endTrial(trial);
  }

  async #load({ key, tokens }: KeptPrompt, sequence: number, mostMs: number) {
    const file = await this.#files?.find(key);
    if (!this.#files || !file || file.bytes / this.#readRate > mostMs) return undefined;
    const started = this.#options.now();
    // llama.cpp trusts what it reads.
    if (!(await this.#files.isWhole(file))) return await this.#files.remove(file);
    const trial = await this.#files.beginTrial(key, file);
    if (!trial) return undefined;
    try {
      await this.#read(trial, tokens, sequence);
    } catch (error) {
      await this.#files.remove(trial);
      throw error;
    }
    this.#readRate = rate(file.bytes, this.#options.now() - started);
    this.#onTrial.set(key, trial);
    return 'loaded' as const;
  }

  async #read({ path }: OnTrial, tokens: readonly Token[], sequence: number): Promise<void> {
    const { addon, contextSize } = this.#options;
    const found = await addon.loadSequence(path, sequence, contextSize);
    if (found.length === tokens.length && found.every((token, at) => token === tokens[at])) return;
    throw new Error('it is another one than its name says');
  }

  async #save({ key, tokens }: KeptPrompt, sequence: number, { readMs, mostMs }: { readMs: number; mostMs: number }) {
    const bytes = this.#bytesPerToken * tokens.length;
    const isUnknown = bytes === 0;
    const tooLong = isUnknown ? mostMs < LONG_MS || tokens.length > FIRST_TOKENS : bytes / this.#writeRate > mostMs;
    if (!this.#files || tooLong || !this.#mayWrite(bytes) || !this.#isWorth(bytes, readMs)) return;
    if (await this.#files.find(key)) return;
    const path = await this.#files.begin(key, bytes);
    if (path === undefined) return;
    try {
      const started = this.#options.now();
      const written = await this.#write(path, sequence, tokens);
      if (this.#isWorth(written, readMs)) await this.#files.finish(key, path);
      else await this.#files.remove({ path });
      this.#writeRate = rate(written, this.#options.now() - started);
    } catch (error) {
      await this.#files.remove({ path });
      throw error;
    }
  }

  #isWorth(bytes: number, readMs: number): boolean {
    return readMs > (WORTH * bytes) / this.#readRate;
  }

  async #write(path: string, sequence: number, tokens: readonly Token[]): Promise<number> {
    const written = await this.#options.addon.saveSequence(path, sequence, tokens);
    this.#bytesPerToken = written / tokens.length;
    this.#written.bytes += written;
    return written;
  }

  #mayWrite(bytes: number): boolean {
    const now = this.#options.now();
    if (now - this.#written.since > HOUR_MS) this.#written = { since: now, bytes: 0 };
    return this.#written.bytes + bytes <= this.#most;
  }
}

function rate(bytes: number, ms: number): number {
  return bytes / Math.max(1, ms);
}
