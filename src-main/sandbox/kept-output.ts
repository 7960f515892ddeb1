import { MOST_OUTPUT } from './most-output.ts';

/** The beginning of a stream of bytes. */
export class KeptOutput {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  /** Whether there was more than is kept. */
  truncated = false;

  add(bytes: Buffer): void {
    const room = MOST_OUTPUT - this.#bytes;
    this.truncated ||= bytes.length > room;
    if (room > 0) this.#pieces.push(bytes.subarray(0, room));
    this.#bytes += Math.min(bytes.length, room);
  }

  /** What is no UTF-8 shows as signs of that. */
  get text(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }
}
