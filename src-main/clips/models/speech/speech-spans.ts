import type { Span } from '../../media/media.ts';

/** Whisper hears half a minute at once. */
const MOST_SECONDS = 28;
/** What is closer together is one stretch. */
const GAP_SECONDS = 0.6;
/** Heard with what is said: words begin before a detector is sure of them. */
const AROUND_SECONDS = 0.1;

/** Spans of speech as stretches to write down: those that are close together as one, as long as it is heard at once. */
export function gathered(spans: readonly Span[]): Span[] {
  const stretches: Span[] = [];
  for (const { from, to } of spans) {
    const last = stretches.at(-1);
    if (last && from - last.to < GAP_SECONDS && to - last.from <= MOST_SECONDS) last.to = to;
    else stretches.push({ from, to });
  }
  return stretches.map(({ from, to }) => ({ from: Math.max(0, from - AROUND_SECONDS), to: to + AROUND_SECONDS }));
}

/** All of a sound, where nobody says when somebody speaks. */
export function stretchesToWrite(seconds: number): Span[] {
  const count = Math.ceil(seconds / MOST_SECONDS);
  return Array.from({ length: count }, (_, at) => ({
    from: at * MOST_SECONDS,
    to: Math.min(seconds, (at + 1) * MOST_SECONDS),
  }));
}
