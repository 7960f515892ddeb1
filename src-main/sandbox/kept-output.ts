import { MOST_OUTPUT } from './most-output.ts';

/** The beginning of a stream of bytes. */
export class KeptOutput {
  readonly #most: number;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  /** Whether there was more than is kept. */
  truncated = false;

  /** @param most bytes that are kept */
  constructor(most = MOST_OUTPUT) {
    this.#most = most;
  }

  add(bytes: Buffer): void {
    const room = this.#most - this.#bytes;
    this.truncated ||= bytes.length > room;
    if (room > 0) this.#pieces.push(bytes.subarray(0, room));
    this.#bytes += Math.min(bytes.length, room);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  /** What is no UTF-8 shows as signs of that. */
  get text(): string {
    return this.bytes.toString('utf8');
  }
}
