import type { Codecs } from './codecs.ts';

/** 8 bits of brightness for each pixel, and of two colours for every four. The only format that recordings have. */
const YUV420 = 0;

/** Of one of the three planes: brightness, and two colours of half its width and height. */
export interface Plane {
  /** Valid until the codecs are asked for anything again. */
  bytes: Uint8Array;
  /** From one row to the next. */
  stride: number;
  width: number;
  height: number;
}

/** A part of a picture, in fractions of its width and height from the upper left corner: 0 to 1. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Black as video has it: brightness from 16 on, colours around 128. */
const BLACK = [16, 128, 128];

/** A decoded picture, in the codecs’ memory. To be disposed of, unless it was given away. */
export class Picture {
  readonly #codecs: Codecs;
  #frame: number;
  readonly width: number;
  readonly height: number;

  /** @param frame becomes its own @throws Error where it has another format than 8-bit YUV 4:2:0 */
  constructor(codecs: Codecs, frame: number) {
    this.#codecs = codecs;
    this.#frame = frame;
    this.width = codecs.AVFrame_width_sync(frame);
    this.height = codecs.AVFrame_height_sync(frame);
    const format = codecs.AVFrame_format_sync(frame);
    if (format === YUV420) return;
    this[Symbol.dispose]();
    throw new Error(`Its colours are of a format that is not supported (${format}).`);
  }

  /** Brightness, blue, red. */
  planes(): Plane[] {
    return BLACK.map((_, index) => this.#plane(index));
  }

  /** Makes an area black, to the next even pixels outwards: four pixels have one colour. */
  cover({ x, y, width, height }: Area): void {
    if (this.#codecs.av_frame_make_writable_sync(this.#frame) < 0) throw new Error('There is no memory left.');
    const [left, right] = evenly(x, x + width, this.width);
    const [top, bottom] = evenly(y, y + height, this.height);
    for (const [index, black] of BLACK.entries()) {
      const { bytes, stride, ...plane } = this.#plane(index);
      const step = index === 0 ? 1 : 2;
      const to = Math.min(right / step, plane.width);
      for (let row = top / step; row < Math.min(bottom / step, plane.height); row++)
        bytes.fill(black, row * stride + left / step, row * stride + to);
    }
  }

  /** Gives it away, as the codecs know it: it is not disposed of here any more. */
  take(): number {
    const frame = this.#frame;
    this.#frame = 0;
    return frame;
  }

  [Symbol.dispose](): void {
    if (this.#frame !== 0) this.#codecs.av_frame_free_js_sync(this.take());
  }

  #plane(index: number): Plane {
    const from = this.#codecs.AVFrame_data_a_sync(this.#frame, index);
    const stride = this.#codecs.AVFrame_linesize_a_sync(this.#frame, index);
    const half = (pixels: number) => (index === 0 ? pixels : Math.ceil(pixels / 2));
    const [width, height] = [half(this.width), half(this.height)];
    return { bytes: this.#codecs.HEAPU8.subarray(from, from + stride * height), stride, width, height };
  }
}

/** @returns even pixels that hold all from one fraction to another */
function evenly(from: number, to: number, pixels: number): [number, number] {
  return [2 * Math.floor((from * pixels) / 2), 2 * Math.ceil((to * pixels) / 2)];
}
