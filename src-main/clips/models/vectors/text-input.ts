import type { TextShape } from '../files/model-manifest.ts';

/** More than so many parts of a text are not read: fifty pieces of sixty tokens are what a description may have. */
const MOST_PARTS = 50;
/** Longer words are cut before they are made tokens: what they take grows faster than they do. */
const LONGEST_WORD = 200;

/** Numbers of tokens of a text, without those before and after. */
export type Tokens = (text: string) => number[];

/** What a model of texts is given at once. */
export interface TextInput {
  ids: BigInt64Array;
  mask: BigInt64Array;
}

/** A text in parts that the model reads at once, and nothing of it twice (OMEGA, B4: a text is the mean of its parts). */
export function textInputs(tokens: readonly number[], shape: TextShape): TextInput[] {
  const most = shape.length - shape.before.length - shape.after.length;
  const count = Math.min(MOST_PARTS, Math.max(1, Math.ceil(tokens.length / most)));
  return Array.from({ length: count }, (_, at) => inputOf(tokens.slice(at * most, (at + 1) * most), shape));
}

function inputOf(tokens: readonly number[], { before, after, length, isPadded, padding }: TextShape): TextInput {
  const ids = [...before, ...tokens, ...after];
  const missing = isPadded ? length - ids.length : 0;
  const filled = [...ids, ...Array<number>(missing).fill(padding)];
  return {
    ids: BigInt64Array.from(filled, BigInt),
    mask: BigInt64Array.from(filled, (_, at) => (at < ids.length ? 1n : 0n)),
  };
}

/**
 * A text in pieces of so many tokens, cut between words where that can be.
 * @param least a last piece that is shorter is left out, unless it is all there is
 */
export function cutIntoPieces(
  text: string,
  tokens: Tokens,
  { most, least }: { most: number; least: number },
): { pieces: string[]; uniqueTokens: number } {
  const seen = new Set<number>();
  const pieces: { words: string[]; length: number }[] = [];
  for (const { word, found } of wordsOf(text, tokens, most)) {
    for (const token of found) seen.add(token);
    const last = pieces.at(-1);
    if (last && last.length + found.length <= most) {
      last.words.push(word);
      last.length += found.length;
    } else pieces.push({ words: [word], length: found.length });
  }
  const kept = pieces.filter(({ length }, at) => length >= least || at === 0);
  return { pieces: kept.map(({ words }) => words.join(' ')), uniqueTokens: seen.size };
}

function wordsOf(text: string, tokens: Tokens, most: number): { word: string; found: number[] }[] {
  return text
    .split(/\s+/u)
    .filter((word) => word !== '')
    .flatMap((word) => [...cut(word, LONGEST_WORD)])
    .flatMap((word) => whole(word, tokens, most));
}

/** A word with its tokens; in two where it has more than a piece may have. */
function whole(word: string, tokens: Tokens, most: number): { word: string; found: number[] }[] {
  const found = tokens(` ${word}`);
  if (found.length <= most) return [{ word, found }];
  const halves = [...cut(word, Math.ceil(word.length / 2))];
  return halves.length < 2 ? [{ word, found }] : halves.flatMap((half) => whole(half, tokens, most));
}

/** Never within a character. */
function* cut(word: string, longest: number): Generator<string> {
  let part = '';
  for (const character of word) {
    part += character;
    if (part.length < longest) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}
