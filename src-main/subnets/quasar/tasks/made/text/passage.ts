import type { Steps } from '../../../../../base/steps.ts';
import type { SeededRandom } from '../../../../../validation/seeded-random.ts';
import { fillerWords, type Sentence, wordsOf } from './filler.ts';

/** What is to stand somewhere in a text, between two sentences of it. */
export interface Insertion {
  text: string;
  /** Where it is to begin, in words of the finished text. */
  at: number;
  /** It begins nowhere else, if a sentence ends within. Default: anywhere. */
  within?: readonly [least: number, most: number];
}

/** A finished text. */
export interface Passage {
  context: string;
  /** Where each insertion begins, as a share of the text's characters, in the order of the insertions. */
  depths: readonly number[];
}

/**
 * Filler with things in it that are whole, whatever becomes of the filler: that is what is cut.
 * @param words of the finished text, exactly, where the insertions leave room for filler
 */
export function* passage(random: SeededRandom, words: number, insertions: readonly Insertion[]): Steps<Passage> {
  const inserted = insertions.reduce((sum, { text }) => sum + wordsOf(text), 0);
  const filler = yield* fillerWords(random, Math.max(words - inserted, 1));
  yield;
  const gaps = gapsFor(filler, insertions);
  yield;
  const placed = insertions
    .map(({ text, at }, number) => ({ text, at, number, gap: gaps[number] ?? 0 }))
    .sort((a, b) => a.gap - b.gap || a.at - b.at);
  return yield* laid(filler, placed);
}

/** Before which sentence each insertion stands. Never before the first, and never behind the last: that one may have been cut. */
function gapsFor(filler: readonly Sentence[], insertions: readonly Insertion[]): number[] {
  const begins = [0];
  for (const { words } of filler) begins.push((begins.at(-1) ?? 0) + words);
  begins.length = filler.length;
  const gaps: number[] = [];
  let before = 0; // words of the insertions that come earlier
  let least = Math.min(1, filler.length - 1); // they stay in order
  const byPlace = insertions
    .map((insertion, at) => ({ insertion, at }))
    .sort((a, b) => a.insertion.at - b.insertion.at);
  for (const { insertion, at } of byPlace) {
    least = gapNear(begins, least, before, insertion);
    gaps[at] = least;
    before += wordsOf(insertion.text);
  }
  return gaps;
}

function gapNear(
  begins: readonly number[],
  least: number,
  before: number,
  { at, within = [0, Infinity] }: Insertion,
): number {
  const after = Math.max(Math.min(firstFrom(begins, at - before), begins.length - 1), least);
  const candidates = [after, Math.max(after - 1, least)];
  const beginOf = (gap: number) => (begins[gap] ?? 0) + before;
  const fits = candidates.filter((gap) => beginOf(gap) >= within[0] && beginOf(gap) <= within[1]);
  const distance = (gap: number) => Math.abs(beginOf(gap) - at);
  const [near = least, far = near] = fits.length > 0 ? fits : candidates;
  return distance(far) < distance(near) ? far : near;
}

/** The first of ascending numbers that is no less; their count where none is. */
function firstFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sentences that are put together in one step. */
const LAID_AT_A_TIME = 512;

/** An insertion by its number, and before which sentence it stands. */
interface Placed {
  text: string;
  number: number;
  gap: number;
}

function* laid(filler: readonly Sentence[], placed: readonly Placed[]): Steps<Passage> {
  const parts: string[] = [];
  const starts: number[] = [];
  let length = 0;
  const put = (text: string, separator: string) => {
    const part = length === 0 ? text : separator + text;
    parts.push(part);
    length += part.length;
  };
  let next = 0;
  for (const [at, { text, opens }] of filler.entries()) {
    // What stands before a paragraph ends the one before it.
    for (let here = placed[next]; here?.gap === at; here = placed[++next]) {
      put(here.text, ' ');
      starts[here.number] = length - here.text.length;
    }
    put(text, opens ? '\n\n' : ' ');
    if (at % LAID_AT_A_TIME === 0) yield;
  }
  yield;
  return { context: parts.join(''), depths: starts.map((start) => start / length) };
}
