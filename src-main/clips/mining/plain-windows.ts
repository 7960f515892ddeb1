import { LEAST_CLIP_SECONDS, MOST_CLIP_SECONDS } from '../../../src-preload/contract/data-limits.ts';
import type { Span } from '../media/media.ts';
import type { Stretches } from './ports.ts';

/** Stretches from one cut of a video to the next that is far enough: the plainest rule there is. */
export function plainWindows({ seconds, scenes, most }: Stretches): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const to of [...scenes, seconds]) {
    if (to - from < LEAST_CLIP_SECONDS || spans.length >= most) continue;
    spans.push({ from, to: Math.min(to, from + MOST_CLIP_SECONDS) });
    from = to;
  }
  return spans;
}
