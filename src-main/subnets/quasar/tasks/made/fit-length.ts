import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import type { CountTokens } from '../context-task.ts';
import { tooLong } from '../too-long.ts';

/** How far from what is wanted the tokens may be: 1 %. */
const TOLERANCE = 0.01;
/** Words of a text that is only to say how many tokens a word has. */
const SAMPLE_WORDS = 4_000;
/** By straight lines; then halving, which does not mind how the tokens grow. */
const LINES = 5;
const MOST_COUNTS = 30;

/** What was found: with the seed, the words alone make the text again, with no tokenizer at hand. */
export interface Fit {
  words: number;
  tokens: number;
}

export interface Fitting {
  /** Makes a text; more words never make it shorter. */
  make(words: number): string | Promise<string>;
  leastWords: number;
  /** That the text is to have. */
  tokens: number;
  count: CountTokens;
  /** Ends it between two counts. */
  signal?: AbortSignal;
}

/**
 * How many words make a text of so many tokens, to 1 %. Each look counts a whole text, so there are few: one at a short text, then one or two at the length that is wanted.
 * @throws CONTEXT_TOO_LONG where the shortest text has more tokens, UNSUPPORTED where no text has about so many; the signal's reason; what counting throws
 */
export async function fitted({ make, leastWords, tokens, count, signal }: Fitting): Promise<Fit> {
  let low: Fit | undefined; // the longest text that is too short
  let high: Fit | undefined; // the shortest one that is too long
  let words = Math.max(leastWords, Math.min(SAMPLE_WORDS, Math.round(tokens / 2)));
  for (let counts = 1; counts <= MOST_COUNTS; counts++) {
    signal?.throwIfAborted();
    const fit = { words, tokens: await count(await make(words)) };
    if (Math.abs(fit.tokens - tokens) <= tokens * TOLERANCE) return fit;
    if (fit.tokens < tokens) low = fit;
    else high = fit;
    if (high && high.words <= leastWords) throw tooLong(tokens, high.tokens);
    if (low && high && high.words - low.words <= 1) break;
    words = Math.max(leastWords, counts > LINES ? halfway(low, high) : byLine(low, high, tokens));
  }
  throw missed(tokens);
}

/** Where a straight line through what is known has so many tokens; one through nothing, if only one text is known. */
function byLine(low: Fit | undefined, high: Fit | undefined, tokens: number): number {
  const one = low ?? { words: 0, tokens: 0 };
  const other = high ?? { words: 0, tokens: 0 };
  const rise = (other.tokens - one.tokens) / (other.words - one.words || 1);
  const words = Math.round(one.words + (tokens - one.tokens) / (rise || 1));
  return between(words, low, high);
}

const halfway = (low: Fit | undefined, high: Fit | undefined): number =>
  between(Math.round(high ? ((low?.words ?? 0) + high.words) / 2 : 2 * (low?.words ?? 1)), low, high);

/** Never what is known already. */
const between = (words: number, low: Fit | undefined, high: Fit | undefined): number =>
  Math.min(Math.max(words, (low?.words ?? 0) + 1), (high?.words ?? Number.MAX_SAFE_INTEGER) - 1);

const missed = (tokens: number) =>
  new QuarryError({
    code: 'UNSUPPORTED',
    message: say('madeTasks.missed', { tokens }),
    hint: say('madeTasks.missed.hint'),
  });
