import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { parsedJson } from '../../../base/json-text.ts';
import type { RawPicture } from '../../media/media.ts';
import { loaded, unusable } from '../files/check-files.ts';
import type { ClipModel } from '../files/model-manifest.ts';
import { meanOf, ofLengthOne } from './mean-vector.ts';
import { pictureInput } from './picture-input.ts';
import { soundInput } from './sound-input.ts';
import { type Tokens, textInputs } from './text-input.ts';

type Vectors = ClipModel<'pictures'> | ClipModel<'sounds'>;

/** A model of pictures or sounds, and the model of texts that belongs to it. All vectors are of length 1. */
export class ModelPair<Model extends Vectors> {
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

  /** @throws MODEL_INVALID where a file is missing, is not as it should be, or is no such model */
  static async open<Model extends Vectors>(model: Model, threads: number): Promise<ModelPair<Model>> {
    const { folder, manifest } = model;
    const options: InferenceSession.SessionOptions = { intraOpNumThreads: threads, interOpNumThreads: 1 };
    return await loaded(model, async () => {
      const encoder = await InferenceSession.create(join(folder, manifest.files.encoder.path), options);
      const text = await InferenceSession.create(join(folder, manifest.files.text.path), options);
      const tokenizer = parsedJson(await readFile(join(folder, manifest.files.tokenizer.path), 'utf8'));
      return new ModelPair(model, encoder, text, new Tokenizer(tokenizer as object, {}));
    });
  }

  readonly tokens: Tokens = (text) => {
    const told = this.model.manifest.text.lowercase ? text.toLowerCase() : text;
    return this.#tokenizer.encode(told, { add_special_tokens: false }).ids;
  };

  /** @param shape the names of what goes in and comes out @param dims of what goes in */
  async encoded(
    { input, output }: { input: string; output: string },
    values: Float32Array,
    dims: number[],
  ): Promise<Float32Array> {
    const found = await this.#encoder.run({ [input]: new Tensor('float32', values, dims) }, [output]);
    return this.#vectorOf(found[output]);
  }

  /** The mean of a text's parts, as long as the model reads at once. */
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

/** @throws RangeError where its bytes are none of that size */
export async function pictureVector(
  pair: ModelPair<ClipModel<'pictures'>>,
  picture: RawPicture,
): Promise<Float32Array> {
  if (picture.rgb.length !== picture.width * picture.height * 3) throw new RangeError('a picture of another size');
  const { picture: shape } = pair.model.manifest;
  return await pair.encoded(shape, pictureInput(picture, shape), [1, 3, shape.side, shape.side]);
}

/** @param samples no more than the model hears at once */
export async function soundVector(pair: ModelPair<ClipModel<'sounds'>>, samples: Float32Array): Promise<Float32Array> {
  const { sound: shape } = pair.model.manifest;
  const input = soundInput(samples, shape);
  return await pair.encoded(shape, input, [1, 1, input.length / shape.bands, shape.bands]);
}
