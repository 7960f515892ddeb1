import type { Span } from './focus.ts';

/** Those that overlap or touch become one; ascending. */
export function joinedSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1);
    if (last && span.fromMs <= last.toMs) joined[joined.length - 1] = { ...last, toMs: Math.max(last.toMs, span.toMs) };
    else joined.push(span);
  }
  return joined;
}

/** What stays of a video, ascending. @param cuts ascending, apart from each other @param durationMs of all of it */
export function keptBetween(cuts: readonly Span[], durationMs: number): Span[] {
  const kept: Span[] = [];
  let fromMs = 0;
  for (const cut of cuts) {
    kept.push({ fromMs, toMs: Math.min(cut.fromMs, durationMs) });
    fromMs = cut.toMs;
  }
  return [...kept, { fromMs, toMs: durationMs }].filter((span) => span.toMs > span.fromMs);
}
