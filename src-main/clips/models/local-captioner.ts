import { MAX_CLIP_DESCRIPTION_CHARS } from '../../../src-preload/contract/data-limits.ts';
import { cosine } from '../../base/cosine.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { greatest } from '../../base/greatest.ts';
import type { ClipModels } from './clip-models.ts';
import { LABELS } from './labels.ts';

/** So many labels at the most; and they stand out of all others by so many standard deviations. */
const [MOST_LABELS, STANDS_OUT] = [6, 2];
/** UTF-16 units. */
const MOST_TITLE = 500;

export interface LocalCaptionerOptions {
  /** Null where there is no model of pictures: then nothing is said of what is seen. */
  models: Pick<ClipModels, 'texts'> | null;
  /** What may be seen, in a few words each. Default: {@link LABELS}. */
  labels?: readonly string[] | undefined;
}

/** Describes clips without a model that writes: by their title, what is said in them, and the labels that are nearest to their pictures. */
export class LocalCaptioner {
  readonly #models: LocalCaptionerOptions['models'];
  readonly #labels: readonly string[];
  #vectors: Float32Array[] | undefined;

  constructor({ models, labels = LABELS }: LocalCaptionerOptions) {
    this.#models = models;
    this.#labels = labels;
  }

  /**
   * @param video the mean of the pictures, in the space of the models; null where there is none
   * @param words what is said, null where nothing is
   * @throws what the models throw
   */
  async describe(
    { title, video, words }: { title: string; video: Float32Array | null; words: string | null },
    signal: AbortSignal,
  ): Promise<string> {
    const labels = video ? await this.labels(video, signal) : [];
    const sentences = [
      ended(foreignLine(title).slice(0, MOST_TITLE)),
      labels.length > 0 ? `Seen: ${labels.join(', ')}.` : '',
      words ? `Spoken: ${ended(foreignLine(words))}` : '',
    ];
    return sentences
      .filter((sentence) => sentence !== '')
      .join(' ')
      .slice(0, MAX_CLIP_DESCRIPTION_CHARS);
  }

  /** What stands out among the labels, the nearest first. @throws what the models throw */
  async labels(video: Float32Array, signal: AbortSignal): Promise<string[]> {
    if (!this.#models) return [];
    this.#vectors ??= (await this.#models.texts(this.#labels, signal)).map(({ seen }) => seen);
    const near = this.#vectors.map((vector) => cosine(vector, video));
    const mean = near.reduce((sum, one) => sum + one, 0) / near.length;
    const deviation = Math.sqrt(near.reduce((sum, one) => sum + (one - mean) ** 2, 0) / near.length);
    const closeness = (at: number) => near[at] as number;
    const standing = [...near.keys()].filter((at) => closeness(at) > mean + STANDS_OUT * deviation);
    return greatest(standing, MOST_LABELS, closeness).map((at) => this.#labels[at] as string);
  }
}

const ended = (text: string) => (text === '' || /[.!?…]$/u.test(text) ? text : `${text}.`);
