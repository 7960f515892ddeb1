import type { Container } from '../../../../src-preload/contract/focus.ts';
import { type Edits, keptSpans } from './edit-list.ts';

/** What kind of a file it shall be. */
interface Wanted {
  container: Container;
  /** Whether title, description and date are in it, too. */
  metadata: boolean;
}

/** Whether nothing would stay: then there is nothing to export. */
export const isNothingLeft = (edits: Edits, durationMs: number): boolean => keptSpans(edits, durationMs).length === 0;

/** What main is asked for: without pieces where nothing is left out, for then all of it is kept as it is. */
export function exportInput(id: string, edits: Edits, durationMs: number, wanted: Wanted) {
  const { cuts, boxes, mute } = edits;
  const whole = (ms: number) => Math.round(ms);
  const spans = keptSpans(edits, durationMs).map(({ fromMs, toMs }) => ({ fromMs: whole(fromMs), toMs: whole(toMs) }));
  const edited = { ...(cuts.length > 0 && { spans }), ...(boxes.length > 0 && { boxes: boxes.map(atWhole) }) };
  return { id, mute, ...wanted, ...edited };
}

function atWhole<Timed extends { fromMs: number; toMs: number }>(timed: Timed): Timed {
  return { ...timed, fromMs: Math.floor(timed.fromMs), toMs: Math.ceil(timed.toMs) };
}
