import type { Span } from '../../../../src-preload/contract/focus.ts';
import { joinedSpans, keptBetween } from '../../../../src-preload/contract/spans.ts';

/** An area that is covered for some time: milliseconds of the whole video, the area in fractions of the picture from its upper left corner. */
export interface Box {
  fromMs: number;
  toMs: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is done to a video before it is exported. The recording itself stays as it is. */
export interface Edits {
  /** Pieces that are left out: ascending, apart from each other. */
  readonly cuts: readonly Span[];
  readonly boxes: readonly Box[];
  readonly mute: boolean;
}

export type Change =
  | { type: 'cut'; span: Span }
  /** Leaves out what is not in the span. */
  | { type: 'keep'; span: Span; durationMs: number }
  /** Takes back the cut that the time lies in. */
  | { type: 'restore'; atMs: number }
  | { type: 'cover'; box: Box }
  | { type: 'change'; index: number; box: Box }
  | { type: 'uncover'; index: number }
  | { type: 'mute'; mute: boolean };

/** With what came before, and what was undone. */
export interface History {
  readonly past: readonly Edits[];
  readonly now: Edits;
  readonly future: readonly Edits[];
  /** Of the box that was changed last: changing it on is one step. */
  readonly changing?: number;
}

export const UNEDITED: History = { past: [], now: { cuts: [], boxes: [], mute: false }, future: [] };

/** Steps that can be undone; the oldest give way. */
const MOST_STEPS = 200;
/** No box is smaller, in fractions of the picture: it could not be seen or seized. */
export const SMALLEST_SIDE = 0.01;

/** What comes of a change; the very same edits where it changes nothing. */
export function edited(edits: Edits, change: Change): Edits {
  const { cuts, boxes, mute } = edits;
  switch (change.type) {
    case 'cut':
      return isSpan(change.span) ? { ...edits, cuts: joinedSpans([...cuts, change.span]) } : edits;
    case 'keep': {
      const { span, durationMs } = change;
      const outside = [
        { fromMs: 0, toMs: span.fromMs },
        { fromMs: span.toMs, toMs: durationMs },
      ];
      return isSpan(span) ? { ...edits, cuts: joinedSpans([...cuts, ...outside.filter(isSpan)]) } : edits;
    }
    case 'restore': {
      const left = cuts.filter((cut) => !isIn(cut, change.atMs));
      return left.length < cuts.length ? { ...edits, cuts: left } : edits;
    }
    case 'cover':
      return isSpan(change.box) ? { ...edits, boxes: [...boxes, inPicture(change.box)] } : edits;
    case 'change':
      return isSpan(change.box) ? { ...edits, boxes: boxes.with(change.index, inPicture(change.box)) } : edits;
    case 'uncover':
      return { ...edits, boxes: boxes.filter((_, index) => index !== change.index) };
    case 'mute':
      return change.mute === mute ? edits : { ...edits, mute: change.mute };
  }
}

/** The history after a change: what was undone before is gone then. */
export function changed(history: History, change: Change): History {
  const now = edited(history.now, change);
  if (now === history.now) return history;
  const changing = change.type === 'change' ? { changing: change.index } : {};
  const goesOn = change.type === 'change' && history.changing === change.index;
  const past = goesOn ? history.past : [...history.past, history.now].slice(-MOST_STEPS);
  return { past, now, future: [], ...changing };
}

export function undone({ past, now, future }: History): History {
  const before = past.at(-1);
  return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : { past, now, future };
}

export function redone({ past, now, future }: History): History {
  const [next, ...rest] = future;
  return next ? { past: [...past, now], now: next, future: rest } : { past, now, future };
}

/** The pieces that stay, ascending. */
export function keptSpans({ cuts }: Pick<Edits, 'cuts'>, durationMs: number): Span[] {
  return keptBetween(cuts, durationMs);
}

/** Where playing goes on from a time that is left out; undefined for one that stays. */
export function skipTo({ cuts }: Pick<Edits, 'cuts'>, atMs: number): number | undefined {
  return cuts.find((cut) => isIn(cut, atMs))?.toMs;
}

/** The boxes that are there at a time, with their places in the list. */
export function boxesAt({ boxes }: Pick<Edits, 'boxes'>, atMs: number): { box: Box; index: number }[] {
  return boxes.map((box, index) => ({ box, index })).filter(({ box }) => isIn(box, atMs));
}

/** What lies outside of the picture is moved into it. */
function inPicture(box: Box): Box {
  const side = (length: number) => Math.min(1, Math.max(SMALLEST_SIDE, length));
  const [width, height] = [side(box.width), side(box.height)];
  const place = (at: number, length: number) => Math.min(1 - length, Math.max(0, at));
  return { ...box, width, height, x: place(box.x, width), y: place(box.y, height) };
}

const isSpan = ({ fromMs, toMs }: Span) => toMs > fromMs && fromMs >= 0;
const isIn = ({ fromMs, toMs }: Span, atMs: number) => fromMs <= atMs && atMs < toMs;
