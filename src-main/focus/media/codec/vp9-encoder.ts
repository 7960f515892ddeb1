import { unencodable } from '../../focus-problems.ts';
import { type Codecs, openCodecs } from './codecs.ts';
import type { Picture } from './picture.ts';

/**
 * libvpx’s names. The quality is the same for all pictures, whatever bytes that takes: at 24 of 63 the letters of a screen stay as they were. `realtime` with
 * speed 8 is what recorders use; each picture gives one packet at once.
 */
const OPTIONS = {
  deadline: 'realtime',
  'cpu-used': '8',
  'lag-in-frames': '0',
  crf: '24',
  b: '0',
  'tune-content': 'screen',
};
/** Pictures between two key frames at most: where the source has none, players shall find one to seek to. */
const LONGEST_GROUP = 150;

export interface EncoderOptions {
  width: number;
  height: number;
  /** Whether brightness has all of 0 to 255, as in photographs, and not 16 to 235. */
  fullRange: boolean;
}

export interface EncodedPicture {
  data: Uint8Array;
  isKey: boolean;
}

/** Of {@link Codecs}: codec context, frame, packet. */
type Parts = [context: number, frame: number, packet: number];

/** Encodes pictures of one size as VP9, the first as a key frame. To be disposed of. */
export class Vp9Encoder {
  readonly #codecs: Codecs;
  readonly #parts: Parts;
  readonly width: number;
  readonly height: number;

  private constructor(codecs: Codecs, parts: Parts, { width, height }: EncoderOptions) {
    this.#codecs = codecs;
    this.#parts = parts;
    this.width = width;
    this.height = height;
  }

  static async open(options: EncoderOptions): Promise<Vp9Encoder> {
    const codecs = await openCodecs();
    const { width, height, fullRange } = options;
    const [, context, frame, packet] = codecs.ff_init_encoder_sync('libvpx-vp9', {
      ctx: { width, height, pix_fmt: 0, gop_size: LONGEST_GROUP },
      time_base: [1, 1_000],
      options: { ...OPTIONS, color_range: fullRange ? 'pc' : 'tv' },
    });
    return new Vp9Encoder(codecs, [context, frame, packet], options);
  }

  /**
   * @param picture becomes the encoder’s; of its size
   * @param atMs later than that of the picture before
   * @throws INTERNAL where nothing comes of it
   */
  encode(picture: Picture, atMs: number): EncodedPicture {
    const frame = picture.take();
    this.#codecs.AVFrame_pts_s_sync(frame, atMs);
    this.#codecs.AVFrame_ptshi_s_sync(frame, 0);
    this.#codecs.AVFrame_pict_type_s_sync(frame, 0); // what it was says nothing of what it becomes
    try {
      const [packet] = this.#codecs.ff_encode_multi_sync(...this.#parts, [frame]);
      if (!packet) throw new Error('no packet came of it');
      return { data: packet.data, isKey: ((packet.flags ?? 0) & this.#codecs.AV_PKT_FLAG_KEY) !== 0 };
    } catch (error) {
      throw unencodable(atMs, error);
    }
  }

  [Symbol.dispose](): void {
    this.#codecs.ff_free_encoder_sync(...this.#parts);
  }
}
