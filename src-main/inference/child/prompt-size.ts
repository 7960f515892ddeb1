import type { GenerateInput } from '../../../src-preload/contract/request.ts';

/** Bytes of a token that hardly any text has on average: shorter requests are read as a whole, and told exactly. */
const BYTES_PER_TOKEN = 16;
/** Characters that are counted at a time. */
const SLICE_CHARS = 4_096;
/** Tokens of a slice that may be there only because it was cut out. */
const CUT_TOKENS = 8;

/**
 * Looks at a request before its template is run, which takes long for a large one. Counts no further than it has to.
 *
 * @param most tokens that a context holds
 * @param count tokens of a text
 * @returns about how many tokens it has, where they cannot fit; undefined where they may
 */
export function farTooLong(input: GenerateInput, most: number, count: (text: string) => number): number | undefined {
  const texts = keptTexts(input);
  if (texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= most * BYTES_PER_TOKEN) return undefined;
  let tokens = 0;
  let chars = 0;
  for (const slice of slicesOf(texts)) {
    tokens += Math.max(0, count(slice) - CUT_TOKENS);
    chars += slice.length;
    if (tokens > most) return Math.round((tokens * texts.reduce((sum, text) => sum + text.length, 0)) / chars);
  }
  return undefined;
}

/** What every template keeps: some leave out what the model has thought in its earlier answers, or space around a text. */
function keptTexts(input: GenerateInput): string[] {
  if ('prompt' in input) return [input.prompt];
  return input.messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content.trim());
}

function* slicesOf(texts: readonly string[]): Generator<string, void, undefined> {
  for (const text of texts) {
    for (let at = 0; at < text.length; at += SLICE_CHARS) yield text.slice(at, at + SLICE_CHARS);
  }
}
