import type { Picture } from './picture.ts';
import { Vp9Decoder } from './vp9-decoder.ts';
import { type EncodedPicture, Vp9Encoder } from './vp9-encoder.ts';

/** Encodes pictures anew that come as packets from a key frame on: those that are kept begin with a key frame, and know nothing of any before it. To be disposed of. */
export class Vp9Recoder {
  readonly #decoder: Vp9Decoder;
  readonly #fullRange: boolean;
  #encoder: Vp9Encoder | undefined;
  #lastMs = -1;

  private constructor(decoder: Vp9Decoder, fullRange: boolean) {
    this.#decoder = decoder;
    this.#fullRange = fullRange;
  }

  /** @param fullRange whether brightness has all of 0 to 255 */
  static async open(fullRange: boolean): Promise<Vp9Recoder> {
    return new Vp9Recoder(await Vp9Decoder.open(), fullRange);
  }

  /** A picture that is not kept, but that others are made of. @throws BAD_REQUEST for what cannot be decoded */
  skip(data: Uint8Array, atMs: number): void {
    this.#decoder.decode(data, atMs)?.[Symbol.dispose]();
  }

  /**
   * @param change done to the picture before it is encoded
   * @returns undefined for a packet that shows nothing
   * @throws as {@link skip}; INTERNAL where it cannot be encoded
   */
  async recode(
    data: Uint8Array,
    atMs: number,
    change: (picture: Picture) => void,
  ): Promise<EncodedPicture | undefined> {
    using picture = this.#decoder.decode(data, atMs);
    if (!picture) return undefined;
    change(picture);
    const encoder = await this.#encoderFor(picture);
    this.#lastMs = Math.max(atMs, this.#lastMs + 1);
    return encoder.encode(picture, this.#lastMs);
  }

  [Symbol.dispose](): void {
    this.#encoder?.[Symbol.dispose]();
    this.#decoder[Symbol.dispose]();
  }

  /** Another one where the size changes: it begins with a key frame. */
  async #encoderFor({ width, height }: Picture): Promise<Vp9Encoder> {
    if (this.#encoder?.width === width && this.#encoder.height === height) return this.#encoder;
    this.#encoder?.[Symbol.dispose]();
    this.#encoder = await Vp9Encoder.open({ width, height, fullRange: this.#fullRange });
    return this.#encoder;
  }
}
