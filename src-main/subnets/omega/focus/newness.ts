import type { Logger } from 'pino';
import type { FocusVectorStore, VectorKind } from '../../../store/focus/focus-vectors.ts';
import { placeText, type TextSpace } from './uniqueness.ts';

export interface NewnessOptions {
  vectors: FocusVectorStore;
  /** What makes vectors of texts; undefined where there is no embedding model. */
  space: () => Promise<TextSpace | undefined>;
  log: Logger;
}

/** How new the texts of one recording are. That it cannot be known is no reason to have no score. */
export class Newness {
  readonly #options: NewnessOptions;
  readonly #recording: string;
  readonly #space: TextSpace;
  readonly #placed = new Map<VectorKind, Float32Array>();

  private constructor(options: NewnessOptions, recording: string, space: TextSpace) {
    this.#options = options;
    this.#recording = recording;
    this.#space = space;
  }

  /** @returns undefined without an embedding model that works */
  static async of(recording: string, options: NewnessOptions): Promise<Newness | undefined> {
    try {
      const space = await options.space();
      return space && new Newness(options, recording, space);
    } catch (err) {
      options.log.warn({ err }, UNUSABLE);
      return undefined;
    }
  }

  /** @returns from 0 to 1; null where it is not known. @throws what the signal is aborted with */
  async place(kind: VectorKind, text: string, signal: AbortSignal): Promise<number | null> {
    const { vectors, log } = this.#options;
    try {
      const placed = await placeText(vectors, this.#space, { recording: this.#recording, kind, text }, signal);
      this.#placed.set(kind, placed.vector);
      return placed.uniqueness;
    } catch (err) {
      if (signal.aborted) throw err;
      log.warn({ err }, UNUSABLE);
      return null;
    }
  }

  /** From now on others are compared with it. */
  async keep(): Promise<void> {
    for (const [kind, vector] of this.#placed) {
      await this.#options.vectors.keep({ recording: this.#recording, kind, space: this.#space.id }, vector);
    }
  }
}

const UNUSABLE = 'how new a recording is is not known: the embedding model cannot be used';
