import { createRequire } from 'node:module';
import type { cut } from 'jieba-wasm';

/** What jieba looks at as one piece: Chinese, and what stands in names and numbers. Anything else falls into single characters. */
const PIECES = /[\u4e00-\u9fd5a-zA-Z0-9+#&._%-]+/g;
/** Here a piece is cut before: «GPT-4» is three words in Python, and one to jieba-wasm, which takes any sign for the point of a number. No word of the dictionary goes across. */
const BEFORE_DIGIT = /(?<=[a-zA-Z0-9][+#&_%-])(?=\d)/;

let loaded: typeof cut | undefined;

/**
 * Words of a Chinese text as Python’s `jieba` 0.42.1 cuts them (accurate mode, with its model for words that it does not know), spaces among them. The dictionary is
 * loaded with the first call, which takes a second and 60 MB: few need it.
 */
export function chineseWords(text: string): string[] {
  const found: string[] = [];
  let end = 0;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    found.push(...singles(text.slice(end, index)));
    for (const part of piece.split(BEFORE_DIGIT)) found.push(...jieba()(part, true));
    end = index + piece.length;
  }
  return [...found, ...singles(text.slice(end))];
}

/** Characters one by one; the end of a line as DOS writes it is one. */
function singles(text: string): string[] {
  return text.match(/\r\n|[\s\S]/gu) ?? [];
}

function jieba(): typeof cut {
  loaded ??= (createRequire(import.meta.url)('jieba-wasm') as { cut: typeof cut }).cut;
  return loaded;
}
