/**
 * How the parts of QUASAR’s composite are measured by whoever asks. The original takes what miners say of themselves, so that whoever says 1 has won.
 */

/** Questions of one length, on the clock of whoever asked: milliseconds since one was sent, in the mean. */
export interface Timing {
  contextTokens: number;
  firstByteMs: number;
  lastByteMs: number;
}

const REPEATED_WORDS = 4;

/** Half how alike an answer and its reference are, half how little it repeats itself. 0 where it says nothing. @param likeness by ROUGE-L, 0 to 1 */
export function coherenceOf(answer: string, likeness: number): number {
  return answer.trim() === '' ? 0 : (likeness + 1 - repeatedShare(answer)) / 2;
}

/** Of all runs of four words in a text, the share that was there before. 0 to 1; 0 where there are fewer words. */
export function repeatedShare(text: string): number {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const runs = Math.max(0, words.length - REPEATED_WORDS + 1);
  if (runs === 0) return 0;
  const seen = new Set<string>();
  for (let at = 0; at < runs; at++) seen.add(words.slice(at, at + REPEATED_WORDS).join(' '));
  return 1 - seen.size / runs;
}

/**
 * How much of linear growth is kept from a short context to a long one: 1 where it takes no more time for each token. First and last byte both have to: a first one that
 * is sent before anything was read helps nobody. Slowness at the short length helps here and costs in tokens a second.
 */
export function scalingOf(short: Timing, long: Timing): number {
  const factor = long.contextTokens / short.contextTokens;
  const kept = (before: number, after: number) => (after > 0 ? (before * factor) / after : 0);
  const both = Math.min(kept(short.firstByteMs, long.firstByteMs), kept(short.lastByteMs, long.lastByteMs));
  return Math.min(1, Math.max(0, both || 0));
}
