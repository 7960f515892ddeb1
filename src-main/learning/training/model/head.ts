import type { Kernels, Tensor } from './kernels.ts';
import type { ModelShape } from './shape.ts';
import type { WeightSource } from './weight-source.ts';

/** Places whose logits are there at once: bounds what a large vocabulary takes. Fewer are filled up to as many. */
const ROWS = 32;
/** Rows of the output matrix in one piece. */
const PIECE_ROWS = 16_384;

/** The norm and the matrix that make logits of what the last layer gives. */
export class Head {
  readonly #kernels: Kernels;
  readonly #shape: ModelShape;
  #norm: Tensor;
  #pieces: Tensor[];

  private constructor(kernels: Kernels, shape: ModelShape, norm: Tensor, pieces: Tensor[]) {
    this.#kernels = kernels;
    this.#shape = shape;
    this.#norm = norm;
    this.#pieces = pieces;
  }

  static async open(kernels: Kernels, weights: WeightSource, shape: ModelShape): Promise<Head> {
    const { width, vocabulary } = shape;
    const pieces: Tensor[] = [];
    for (let row = 0; row < vocabulary; row += PIECE_ROWS) {
      const rows = Math.min(PIECE_ROWS, vocabulary - row);
      pieces.push(kernels.put(await weights.outputRows(row, rows), [rows, width]));
    }
    const norm = await weights.outputNorm();
    return new Head(kernels, shape, kernels.put(norm, [width]), pieces);
  }

  close(): void {
    this.#kernels.free(this.#norm, ...this.#pieces);
    this.#pieces = [];
  }

  /**
   * Shows the logits at some places.
   * @param rows of the stream behind the last layer, one for each place: places × width
   * @param visit is given each place's logits; where it returns true it has put the gradient of its loss in their stead
   * @returns that gradient by `rows`: 0 for places without
   */
  async at(rows: Float32Array, visit: (logits: Float32Array, place: number) => boolean): Promise<Float32Array> {
    const { width, vocabulary } = this.#shape;
    const gradients = new Float32Array(rows.length);
    const places = rows.length / width;
    for (let from = 0; from < places; from += ROWS) {
      const count = Math.min(ROWS, places - from);
      const chunk = new Float32Array(ROWS * width);
      chunk.set(rows.subarray(from * width, (from + count) * width));
      const x = this.#kernels.put(chunk, [ROWS, width]);
      const normed = this.#kernels.norm(x, this.#norm);
      const logits = await this.#logits(normed);
      let learns = false;
      for (let row = 0; row < ROWS; row++) {
        const own = logits.subarray(row * vocabulary, (row + 1) * vocabulary);
        if (row < count && visit(own, from + row)) learns = true;
        else own.fill(0);
      }
      if (learns) {
        const back = await this.#back(x, normed, logits);
        gradients.set(back.subarray(0, count * width), from * width);
      }
      this.#kernels.free(x, normed);
    }
    return gradients;
  }

  async #logits(normed: Tensor): Promise<Float32Array> {
    const { vocabulary } = this.#shape;
    const all = new Float32Array(ROWS * vocabulary);
    for (const [at, weight] of this.#pieces.entries()) {
      const piece = await this.#kernels.take(this.#kernels.linear(normed, { weight }));
      const width = weight.shape[0] as number;
      for (let row = 0; row < ROWS; row++) {
        all.set(piece.subarray(row * width, (row + 1) * width), row * vocabulary + at * PIECE_ROWS);
      }
    }
    return all;
  }

  async #back(x: Tensor, normed: Tensor, gradients: Float32Array): Promise<Float32Array> {
    const { vocabulary } = this.#shape;
    const kernels = this.#kernels;
    let sum: Tensor | undefined;
    for (const [at, weight] of this.#pieces.entries()) {
      const width = weight.shape[0] as number;
      const piece = new Float32Array(ROWS * width);
      for (let row = 0; row < ROWS; row++) {
        const from = row * vocabulary + at * PIECE_ROWS;
        piece.set(gradients.subarray(from, from + width), row * width);
      }
      const gradient = kernels.put(piece, [ROWS, width]);
      const found = kernels.linearBack(normed, { weight }, gradient).x;
      const more = sum && kernels.add(sum, found);
      await kernels.settle(more ?? found);
      kernels.free(gradient);
      if (more) kernels.free(sum, found);
      sum = more ?? found;
    }
    const back = kernels.normBack(x, this.#norm, sum as Tensor);
    kernels.free(sum);
    return await kernels.take(back);
  }
}
