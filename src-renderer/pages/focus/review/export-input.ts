import type { ExportRecording } from '../../../../src-preload/contract/focus.ts';
import { type Edits, keptSpans } from './edit-list.ts';

/**
 * Whether `focus.export` covers areas. It can be true only where the contract has `boxes`; until then nothing is exported that has some: what they
 * hide would be in the file.
 */
export const CAN_COVER: ('boxes' extends keyof ExportRecording ? true : never) | false = false;

/** Why these edits cannot be exported; undefined where they can. */
export function notExported(
  edits: Edits,
  durationMs: number,
  canCover: boolean,
): 'nothingLeft' | 'noCover' | undefined {
  if (keptSpans(edits, durationMs).length === 0) return 'nothingLeft';
  return edits.boxes.length > 0 && !canCover ? 'noCover' : undefined;
}

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
