import type { RawPicture } from '../../media/media.ts';
import type { ClipModel } from '../files/model-manifest.ts';
import { ModelPair, pictureVector, soundVector } from './model-pair.ts';
import { cutIntoPieces } from './text-input.ts';

/** Of a description, as OMEGA measures whether it is stuffed (B5, step 10). */
const PIECE = { most: 60, least: 5 };

export interface VectorModels {
  pictures: ClipModel<'pictures'>;
  sounds: ClipModel<'sounds'> | null;
  /** Of the processor, for each thing that is asked. */
  threads: number;
}

/** Vectors of single pictures, sounds and texts, each of length 1. In the process of the models; whoever wants them asks {@link VectorModels}. */
export class RawVectors {
  readonly #seeing: ModelPair<ClipModel<'pictures'>>;
  readonly #hearing: ModelPair<ClipModel<'sounds'>> | null;

  private constructor(seeing: ModelPair<ClipModel<'pictures'>>, hearing: ModelPair<ClipModel<'sounds'>> | null) {
    this.#seeing = seeing;
    this.#hearing = hearing;
  }

  /** @throws MODEL_INVALID where a file is missing, is not as it should be, or is no such model */
  static async open({ pictures, sounds, threads }: VectorModels): Promise<RawVectors> {
    const seeing = await ModelPair.open(pictures, threads);
    return new RawVectors(seeing, sounds && (await ModelPair.open(sounds, threads)));
  }

  picture(picture: RawPicture): Promise<Float32Array> {
    return pictureVector(this.#seeing, picture);
  }

  /** @param samples no more than the model hears at once */
  async sound(samples: Float32Array): Promise<Float32Array> {
    if (!this.#hearing) throw new Error('There is no model of sounds.');
    return await soundVector(this.#hearing, samples);
  }

  /** Among pictures, and among sounds; null without a model of these. */
  async text(text: string): Promise<{ seen: Float32Array; heard: Float32Array | null }> {
    return { seen: await this.#seeing.text(text), heard: (await this.#hearing?.text(text)) ?? null };
  }

  pieces(text: string): { pieces: string[]; uniqueTokens: number } {
    return cutIntoPieces(text, (words) => this.#seeing.tokens(words), PIECE);
  }
}
