import type { CountTokens } from '../context-task.ts';
import { tooLong } from '../too-long.ts';

/** What is asked about a text, by its place before or after it. */
export interface Framed {
  before: string;
  context: string;
  after: string;
}

/** Tokens by which a text may be shorter than it could be, as a share: the search ends there. */
const SLACK = 1 / 200;
/** Each third guess halves what is left: guesses by share alone may creep. */
const HALVING = 3;

export const joined = ({ before, context, after }: Framed) => before + context + after;

/**
 * Cuts a text that is too long in its middle, as LongBench does: half of the tokens are those at the beginning of all that is asked, half those at its
 * end. Nothing is cut of what stands around the text.
 * @returns the same where it is short enough @throws CONTEXT_TOO_LONG where no text at all would be
 */
export async function cutMiddle(all: Framed, tokens: number, count: CountTokens): Promise<Framed> {
  if ((await count(joined(all))) <= tokens) return all;
  const [before, after] = [await count(all.before), await count(all.after)];
  if (before + after > tokens) throw tooLong(tokens, before + after);
  // Two halves beside each other may have more tokens than apart.
  for (let budget = tokens; budget >= before + after; ) {
    const cut = await cutTo(all, { before, after, budget }, count);
    const excess = (await count(joined(cut))) - tokens;
    if (excess <= 0) return cut;
    budget -= excess;
  }
  return { ...all, context: '' };
}

async function cutTo(all: Framed, is: { before: number; after: number; budget: number }, count: CountTokens) {
  const { context } = all;
  const half = Math.floor(is.budget / 2);
  const first = Math.min(Math.max(half, is.before), is.budget - is.after);
  const head = (length: number) => all.before + context.slice(0, endOfCharacter(context, length));
  const tail = (length: number) => context.slice(beginOfCharacter(context, context.length - length)) + all.after;
  const most = context.length;
  const headLength = await longestWithin(head, most, first, count);
  const tailLength = await longestWithin(tail, most - headLength, is.budget - first, count);
  const kept = head(headLength).slice(all.before.length) + tail(tailLength).slice(0, -all.after.length || undefined);
  return { ...all, context: kept };
}

/**
 * The largest number up to a limit of which a text has so many tokens at most, or nearly so many; 0 where none has.
 * @param textOf grows with its number
 */
export async function longestWithin(
  textOf: (length: number) => string,
  limit: number,
  tokens: number,
  count: CountTokens,
): Promise<number> {
  let [least, leastTokens] = [0, await count(textOf(0))];
  let [most, mostTokens] = [limit, await count(textOf(limit))];
  if (mostTokens <= tokens) return limit;
  for (let guess = 1; most - least > 1 && tokens - leastTokens > tokens * SLACK; guess++) {
    const share = guess % HALVING === 0 ? 0.5 : (tokens - leastTokens) / (mostTokens - leastTokens);
    const length = Math.min(most - 1, Math.max(least + 1, least + Math.floor((most - least) * share)));
    const found = await count(textOf(length));
    if (found <= tokens) [least, leastTokens] = [length, found];
    else [most, mostTokens] = [length, found];
  }
  return least;
}

/** No character is cut in two. */
const endOfCharacter = (text: string, at: number) => (isInside(text, at) ? at - 1 : at);
const beginOfCharacter = (text: string, at: number) => (isInside(text, at) ? at + 1 : at);
const isInside = (text: string, at: number) => /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
