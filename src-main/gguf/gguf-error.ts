import { type Saying, sentence } from '../../src-preload/contract/saying.ts';

/** Why bytes are not the header of a GGUF file that can be loaded, as the end of a sentence: «it has no tensors». */
export class GgufError extends Error {
  readonly why: Saying;

  constructor(why: Saying) {
    super(sentence(why));
    this.why = why;
  }
}

const LONGEST_QUOTE = 40;

/** A name out of an untrusted file, fit for a message: short, and nothing that a terminal would obey. */
export function quoted(name: string): string {
  const shown = name.replace(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_QUOTE);
  return `«${shown}${name.length > LONGEST_QUOTE ? '…' : ''}»`;
}
