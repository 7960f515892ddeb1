import { type Edits, keptSpans } from './edit-list.ts';

/** Whether nothing would stay: then there is nothing to export. */
export const isNothingLeft = (edits: Edits, durationMs: number): boolean => keptSpans(edits, durationMs).length === 0;

/** What main is asked for: without pieces where nothing is left out, for then all of it is kept as it is. */
export function exportInput(id: string, edits: Edits, durationMs: number) {
  const { cuts, boxes, mute } = edits;
  const whole = (ms: number) => Math.round(ms);
  const spans = keptSpans(edits, durationMs).map(({ fromMs, toMs }) => ({ fromMs: whole(fromMs), toMs: whole(toMs) }));
  return { id, mute, ...(cuts.length > 0 && { spans }), ...(boxes.length > 0 && { boxes: boxes.map(atWhole) }) };
}

function atWhole<Timed extends { fromMs: number; toMs: number }>(timed: Timed): Timed {
  return { ...timed, fromMs: Math.floor(timed.fromMs), toMs: Math.ceil(timed.toMs) };
}
