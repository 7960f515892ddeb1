import { type FileHandle, open } from 'node:fs/promises';
import { say } from '../../../src-preload/contract/saying.ts';
import { GgufError, quoted } from '../gguf-error.ts';
import type { GgufHeader } from '../header.ts';
import { invalid } from '../model-file.ts';
import type { TensorInfo } from '../tensors.ts';
import { blockReader, dequantise } from './dequantise.ts';

/** Bytes of the file that are read at a time: what a tensor takes in memory besides its values. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** The weights of a GGUF file as numbers of 32 bits, a tensor or some rows of one at a time. */
export class Weights {
  readonly #path: string;
  readonly #header: GgufHeader;
  readonly #file: FileHandle;
  readonly #tensors: ReadonlyMap<string, TensorInfo>;

  private constructor(path: string, header: GgufHeader, file: FileHandle) {
    this.#path = path;
    this.#header = header;
    this.#file = file;
    this.#tensors = new Map(header.tensors.map((tensor) => [tensor.name, tensor]));
  }

  /** @param header of the same file, as it was read and checked */
  static async open(path: string, header: GgufHeader): Promise<Weights> {
    return new Weights(path, header, await open(path, 'r'));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** What the file says of a tensor; undefined where it has none of that name. */
  info(name: string): TensorInfo | undefined {
    return this.#tensors.get(name);
  }

  /**
   * All values of a tensor, row by row.
   * @throws MODEL_INVALID where there is none, where its type is not known, and where the file has become shorter
   */
  async read(name: string): Promise<Float32Array> {
    const info = this.#found(name);
    const count = info.dimensions.reduce((product, length) => product * length, 1);
    return await this.#values(info, 0, count);
  }

  /**
   * Some rows of a matrix, in the order in which they are asked for.
   * @throws as {@link read}; RangeError for a row that it does not have
   */
  async rows(name: string, rows: readonly number[]): Promise<Float32Array> {
    const [width = 0] = this.#found(name).dimensions;
    const values = new Float32Array(rows.length * width);
    for (const [index, row] of rows.entries()) values.set(await this.rowsFrom(name, row, 1), index * width);
    return values;
  }

  /**
   * Rows that follow each other.
   * @throws as {@link rows}
   */
  async rowsFrom(name: string, from: number, count: number): Promise<Float32Array> {
    const info = this.#found(name);
    const [width = 0, height = 1] = info.dimensions;
    if (!(from >= 0 && from + count <= height)) throw new RangeError(`${name} has no rows ${from} to ${from + count}.`);
    return await this.#values(info, from * width, count * width);
  }

  #found(name: string): TensorInfo {
    const info = this.#tensors.get(name);
    if (info) return info;
    throw invalid(this.#path, say('gguf.noTensor', { name: quoted(name) }));
  }

  /** @param from, count in values; both whole blocks */
  async #values(info: TensorInfo, from: number, count: number): Promise<Float32Array> {
    const reader = this.#reader(info);
    const values = new Float32Array(count);
    const blocksAtOnce = Math.max(1, Math.floor(PIECE_BYTES / reader.bytes));
    const begin = this.#header.dataOffset + info.offset + (from / reader.values) * reader.bytes;
    const blocks = count / reader.values;
    const piece = Buffer.allocUnsafe(Math.min(blocks, blocksAtOnce) * reader.bytes);
    for (let block = 0; block < blocks; block += blocksAtOnce) {
      const bytes = piece.subarray(0, Math.min(blocksAtOnce, blocks - block) * reader.bytes);
      await this.#fill(bytes, begin + block * reader.bytes);
      dequantise(reader, bytes, values.subarray(block * reader.values));
    }
    return values;
  }

  #reader(info: TensorInfo) {
    try {
      return blockReader(info);
    } catch (error) {
      throw error instanceof GgufError ? invalid(this.#path, error.why, { cause: error }) : error;
    }
  }

  async #fill(bytes: Uint8Array, from: number): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const { bytesRead } = await this.#file.read(bytes, done, bytes.length - done, from + done);
      if (bytesRead === 0) throw invalid(this.#path, say('gguf.shorter'));
      done += bytesRead;
    }
  }
}
