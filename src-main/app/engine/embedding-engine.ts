import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { Embedding, EmbeddingModel } from '../../conversations/long-files.ts';
import type { ModelFacts } from '../../gguf/model-facts.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import { hasAmx } from '../../hardware/readings.ts';
import { EngineSlot } from '../../inference/host/engine-slot.ts';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { ggufProfile } from '../../models/fit/gguf-profile.ts';
import { memoryNeed, totalBytes } from '../../models/fit/memory.ts';
import type { ModelFile, ModelLibrary } from '../../models/library/library.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import { LocalUse } from './local-use.ts';

/** Milliseconds for which the embedding model stays loaded after the last text: it is loaded in a moment. */
const IDLE_MS = 120_000;
/** On the processor. Tokens that a text may have: passages have far fewer. */
const PLAN = { gpuLayers: 0, contextSize: 512, parallel: 1 };

/** What some models want before a text, by what their name has in it: without it they find worse. */
const PREFIXES: readonly { name: RegExp; question: string; passage: string }[] = [
  { name: /nomic-embed/, question: 'search_query: ', passage: 'search_document: ' },
  { name: /\bbge-.*-en/, question: 'Represent this sentence for searching relevant passages: ', passage: '' },
  {
    name: /qwen3-embedding/,
    question: 'Instruct: Given a question, retrieve passages that answer it\nQuery: ',
    passage: '',
  },
];

export interface EmbeddingEngineOptions {
  library: Pick<ModelLibrary, 'list'>;
  threads?: number | undefined;
  /** Starts the engine child. Default: Node's own way. */
  spawner?: ProcessSpawner | undefined;
  /** Default two minutes. */
  idleMs?: number;
  log: Logger;
}

/**
 * Makes vectors of texts with an embedding model of the library, in an engine child of its own beside the one that
 * answers. It runs on the processor, so that it takes no memory from a model on the graphics card; it is loaded when
 * asked for, and ended after a while of idleness.
 */
export class EmbeddingEngine implements Embedding {
  readonly #options: EmbeddingEngineOptions;
  readonly #slot: EngineSlot;
  readonly #use: LocalUse;
  /** What files are, by SHA-256: none changes. */
  readonly #facts = new Map<string, ModelFacts | undefined>();
  #model: ModelFile | undefined;

  constructor(options: EmbeddingEngineOptions) {
    this.#options = options;
    this.#slot = new EngineSlot(async () => this.#backend());
    this.#use = new LocalUse({ engine: this.#slot, idleMs: options.idleMs ?? IDLE_MS });
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#use.close();
    await this.#slot.close();
  }

  /** Of its child, while there is one. */
  get pid(): number | undefined {
    return this.#slot.current?.engine?.pid;
  }

  /**
   * Bytes of the computer's memory that its model will take once a question comes to a long file.
   * @returns undefined where there is none, and while it is loaded: then they are no longer free
   */
  async awaits(): Promise<{ sha256: string; ram: number } | undefined> {
    const file = this.pid === undefined ? await this.file() : undefined;
    const checked = file && (await checkGguf(file.path).catch(ignoring('it cannot be loaded then either')));
    if (!checked) return undefined;
    const { ram } = memoryNeed(ggufProfile(checked), { ...PLAN, packsWeights: await hasAmx() });
    return { sha256: file.sha256, ram: totalBytes(ram) };
  }

  /** The one that came last of those that were made for embeddings. */
  async model(): Promise<EmbeddingModel | undefined> {
    const file = await this.file();
    return file && { name: file.name, sha256: file.sha256, embed: (...text) => this.#embed(file, ...text) };
  }

  /** The same as a file of the library. */
  async file(): Promise<ModelFile | undefined> {
    for (const file of await this.#options.library.list()) {
      if (!file.tiny && (await this.#factsOf(file))?.embeddingModel) return file;
    }
    return undefined;
  }

  async #embed(file: ModelFile, text: string, as: 'question' | 'passage', signal: AbortSignal): Promise<Float32Array> {
    if (this.#model?.path !== file.path) await this.#slot.close();
    this.#model = file;
    using _loaded = await this.#use.begin(signal);
    const prefix = PREFIXES.find(({ name }) => name.test(file.name.toLowerCase()))?.[as] ?? '';
    return await this.#vector(prefix, text, signal);
  }

  /** Of a text with unusually many tokens, what its beginning means. */
  async #vector(prefix: string, text: string, signal: AbortSignal): Promise<Float32Array> {
    const engine = this.#slot.need();
    if (!engine.embed) throw new Error('The engine of an embedding model cannot embed.');
    for (let length = text.length; ; length = Math.floor(length / 2)) {
      try {
        const { vectors } = await engine.embed([prefix + text.slice(0, length)], { signal });
        return Float32Array.from(vectors[0] ?? []);
      } catch (error) {
        if (length < 2 || !(error instanceof QuarryError) || error.code !== 'CONTEXT_TOO_LONG') throw error;
      }
    }
  }

  #backend(): LocalBackend {
    const { threads, spawner, log } = this.#options;
    if (!this.#model) throw new Error('No embedding model was chosen.');
    const { path: modelPath, name, sha256 } = this.#model;
    return new LocalBackend({ modelPath, name, sha256, ...PLAN, threads, spawner, log });
  }

  async #factsOf({ path, sha256 }: ModelFile): Promise<ModelFacts | undefined> {
    if (!this.#facts.has(sha256)) {
      const checked = await checkGguf(path).catch(ignoring('what cannot be read cannot be loaded either'));
      this.#facts.set(sha256, checked?.facts);
    }
    return this.#facts.get(sha256);
  }
}
