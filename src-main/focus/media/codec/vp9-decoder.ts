import { undecodable } from '../../focus-problems.ts';
import { type Codecs, openCodecs } from './codecs.ts';
import { Picture } from './picture.ts';

/** Of {@link Codecs}: codec context, packet, frame. */
type Parts = [context: number, packet: number, frame: number];

/** Decodes VP9, packet by packet, beginning with a key frame. To be disposed of. */
export class Vp9Decoder {
  readonly #codecs: Codecs;
  readonly #parts: Parts;

  private constructor(codecs: Codecs, parts: Parts) {
    this.#codecs = codecs;
    this.#parts = parts;
  }

  static async open(): Promise<Vp9Decoder> {
    const codecs = await openCodecs();
    const [, ...parts] = codecs.ff_init_decoder_sync('libvpx-vp9');
    return new Vp9Decoder(codecs, parts);
  }

  /**
   * @param atMs for the error only
   * @returns what the packet shows: undefined for one that only prepares others
   * @throws BAD_REQUEST for what cannot be decoded
   */
  decode(data: Uint8Array, atMs: number): Picture | undefined {
    try {
      const packet = { data, pts: 0, ptshi: 0, dts: 0, dtshi: 0 };
      const frames = this.#codecs.ff_decode_multi_sync(...this.#parts, [packet], { copyoutFrame: 'ptr' });
      const pictures = frames.map((frame) => new Picture(this.#codecs, frame));
      for (const unseen of pictures.slice(0, -1)) unseen[Symbol.dispose]();
      return pictures.at(-1);
    } catch (error) {
      throw undecodable(atMs, error);
    }
  }

  [Symbol.dispose](): void {
    this.#codecs.ff_free_decoder_sync(...this.#parts);
  }
}
