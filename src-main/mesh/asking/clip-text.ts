import { type ClipEnd, type ClipPiece, MAX_CLIPS_BYTES } from '../inference/clip-messages.ts';

/** Gathers what is handed in, piece by piece: no more than is allowed, whatever comes. */
export class ClipText {
  #text = '';
  #bytes = 0;
  #pieces = 0;

  /** @returns how the piece breaks the protocol; undefined when it does not */
  take({ seq, text }: ClipPiece): string | undefined {
    if (seq !== this.#pieces++) return 'a piece of what is handed in is missing';
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > MAX_CLIPS_BYTES) return 'more is handed in than may be';
    this.#text += text;
    return undefined;
  }

  /** @returns all of it; undefined where pieces are missing */
  whole({ pieces }: ClipEnd): string | undefined {
    return pieces === this.#pieces ? this.#text : undefined;
  }
}
