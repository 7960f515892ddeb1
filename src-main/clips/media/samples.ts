import type { RawSound, Span } from './media.ts';
import { guardedSound, guardedSpan, SOUND, seconds } from './strange-file.ts';

/** Arguments that give the sound of a stretch, one channel of 16 bits. What begins later than the picture has silence before it, and so have gaps. */
export function samplesOf(path: string, span: Span, rate: number): string[] {
  return heardIn(guardedSpan(path, span), span, rate);
}

/** The same of a file that may be sound alone. */
export function soundFileSamples(path: string, span: Span, rate: number): string[] {
  return heardIn(guardedSound(path, span), span, rate);
}

function heardIn(input: readonly string[], span: Span, rate: number): string[] {
  const filter = `aresample=${rate}:async=1:first_pts=0`;
  const output = ['-ac', '1', '-c:a', 'pcm_s16le', '-t', seconds(span.to - span.from), '-f', 's16le', 'pipe:1'];
  return [...input, '-map', SOUND, '-af', filter, ...output];
}

export const mostSamples = ({ from, to }: Span, rate: number) => Math.ceil((to - from) * rate) + rate;

/** Puts samples together as they come, so that nothing waits for all of them to be turned at once. */
export class SampleReader {
  readonly #samples: Float32Array;
  readonly #rate: number;
  #count = 0;
  /** Of a sample of which only the first byte has come. */
  #low: number | undefined;

  /** @param most of them; the rest is left out */
  constructor(most: number, rate: number) {
    this.#samples = new Float32Array(most);
    this.#rate = rate;
  }

  add(bytes: Buffer): void {
    let at = 0;
    if (this.#low !== undefined && bytes.length > 0)
      this.#take(Buffer.from([this.#low, bytes[at++] ?? 0]).readInt16LE(0));
    this.#low = undefined;
    for (; at + 1 < bytes.length; at += 2) this.#take(bytes.readInt16LE(at));
    if (at < bytes.length) this.#low = bytes[at];
  }

  sound(): RawSound {
    return { samples: this.#samples.subarray(0, this.#count), rate: this.#rate };
  }

  #take(sample: number): void {
    if (this.#count < this.#samples.length) this.#samples[this.#count++] = sample / 32_768;
  }
}
