import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { parsedJson } from '../../base/json-text.ts';
import type { RawPicture } from '../media/media.ts';
import { loaded, unusable } from './check-files.ts';
import type { TextVectors } from './clip-models.ts';
import { meanOf, ofLengthOne } from './mean-vector.ts';
import type { ClipModel } from './model-manifest.ts';
import { pictureInput } from './picture-input.ts';
import { soundInput } from './sound-input.ts';
import { cutIntoPieces, type Tokens, textInputs } from './text-input.ts';

/** Of a description, as OMEGA measures whether it is stuffed (B5, step 10). */
const PIECE = { most: 60, least: 5 };

type Vectors = ClipModel<'pictures'> | ClipModel<'sounds'>;

export interface VectorModels {
  pictures: ClipModel<'pictures'>;
  sounds: ClipModel<'sounds'> | null;
  /** Of the processor, for each thing that is asked. */
  threads: number;
}

/** Vectors of single pictures, sounds and texts, each of length 1. In the process of the models; whoever wants them asks {@link ClipVectors}. */
export class RawVectors {
  readonly #seeing: Pair<ClipModel<'pictures'>>;
  readonly #hearing: Pair<ClipModel<'sounds'>> | null;

  private constructor(seeing: Pair<ClipModel<'pictures'>>, hearing: Pair<ClipModel<'sounds'>> | null) {
    this.#seeing = seeing;
    this.#hearing = hearing;
  }

  /** @throws MODEL_INVALID where a file is missing, is not as it should be, or is no such model */
  static async open({ pictures, sounds, threads }: VectorModels): Promise<RawVectors> {
    const seeing = await Pair.open(pictures, threads);
    return new RawVectors(seeing, sounds && (await Pair.open(sounds, threads)));
  }

  async picture(picture: RawPicture): Promise<Float32Array> {
    if (picture.rgb.length !== picture.width * picture.height * 3) throw new RangeError('a picture of another size');
    const { picture: shape } = this.#seeing.model.manifest;
    const input = pictureInput(picture, shape);
    return await this.#seeing.encoded(shape, input, [1, 3, shape.side, shape.side]);
  }

  /** @param samples no more than the model hears at once */
  async sound(samples: Float32Array): Promise<Float32Array> {
    if (!this.#hearing) throw new Error('There is no model of sounds.');
    const { sound: shape } = this.#hearing.model.manifest;
    const input = soundInput(samples, shape);
    return await this.#hearing.encoded(shape, input, [1, 1, input.length / shape.bands, shape.bands]);
  }

  async text(text: string): Promise<TextVectors> {
    return { seen: await this.#seeing.text(text), heard: (await this.#hearing?.text(text)) ?? null };
  }

  pieces(text: string): { pieces: string[]; uniqueTokens: number } {
    return cutIntoPieces(text, (words) => this.#seeing.tokens(words), PIECE);
  }
}

/** A model of something, and the model of texts that belongs to it. */
class Pair<Model extends Vectors> {
  readonly model: Model;
  readonly #encoder: InferenceSession;
  readonly #text: InferenceSession;
  readonly #tokenizer: Tokenizer;

  private constructor(model: Model, encoder: InferenceSession, text: InferenceSession, tokenizer: Tokenizer) {
    this.model = model;
    this.#encoder = encoder;
    this.#text = text;
    this.#tokenizer = tokenizer;
  }

  static async open<Model extends Vectors>(model: Model, threads: number): Promise<Pair<Model>> {
    const { folder, manifest } = model;
    const options: InferenceSession.SessionOptions = { intraOpNumThreads: threads, interOpNumThreads: 1 };
    return await loaded(model, async () => {
      const encoder = await InferenceSession.create(join(folder, manifest.files.encoder.path), options);
      const text = await InferenceSession.create(join(folder, manifest.files.text.path), options);
      const tokenizer = parsedJson(await readFile(join(folder, manifest.files.tokenizer.path), 'utf8'));
      return new Pair(model, encoder, text, new Tokenizer(tokenizer as object, {}));
    });
  }

  readonly tokens: Tokens = (text) => {
    const told = this.model.manifest.text.lowercase ? text.toLowerCase() : text;
    return this.#tokenizer.encode(told, { add_special_tokens: false }).ids;
  };

  async encoded(
    { input, output }: { input: string; output: string },
    values: Float32Array,
    shape: number[],
  ): Promise<Float32Array> {
    const found = await this.#encoder.run({ [input]: new Tensor('float32', values, shape) }, [output]);
    return this.#vectorOf(found[output]);
  }

  async text(text: string): Promise<Float32Array> {
    const { text: shape } = this.model.manifest;
    const vectors: Float32Array[] = [];
    for (const { ids, mask } of textInputs(this.tokens(text), shape)) {
      const dims = [1, ids.length];
      const masks = shape.mask ? { [shape.mask]: new Tensor('int64', mask, dims) } : {};
      const feeds = { [shape.ids]: new Tensor('int64', ids, dims), ...masks };
      vectors.push(this.#vectorOf((await this.#text.run(feeds, [shape.output]))[shape.output]));
    }
    return meanOf(vectors);
  }

  #vectorOf(tensor: Tensor | undefined): Float32Array {
    const values = tensor?.data;
    if (!(values instanceof Float32Array) || values.length !== this.model.manifest.size)
      throw unusable(this.model, new Error(`${values?.length} numbers`));
    return ofLengthOne(values);
  }
}
