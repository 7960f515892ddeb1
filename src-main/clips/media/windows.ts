import {
  LEAST_CLIP_SECONDS,
  MOST_CLIP_SECONDS,
  MOST_FETCHED_SECONDS,
} from '../../../src-preload/contract/data-limits.ts';
import type { Span } from './media.ts';

/** What is known of a video when it is decided which stretches of it become clips. All in seconds, in order. */
export interface WindowFacts {
  seconds: number;
  /** Where a copy can begin. */
  keyFrames: readonly number[];
  /** Where something else begins to be seen. */
  scenes: readonly number[];
  /** Where somebody speaks; empty where nobody listened. */
  speech: readonly Span[];
}

/** Of this length a description has enough to say, and still speaks of one thing. */
const WANTED_SECONDS = 30;
/** What it costs to be twice as long as wanted, or half as long. */
const PER_DOUBLING = 0.5;
/** What it costs to begin or end there: amid a sentence, or amid a scene. A scene that ends while nobody speaks costs nothing. */
const [AMID_SENTENCE, AMID_SCENE] = [4, 0.5];
/** What a second that comes into no clip costs. */
const PER_LOST_SECOND = 0.04;
/** Without a better place a clip may end at every so many seconds. */
const GRID_SECONDS = 5;
/** A scene and a sentence may be so far beside a key frame. */
const NEAR_SECONDS = 0.25;
/** More places than a sensible video has; of others not all are looked at. */
const MOST_PLACES = 600;

/**
 * Which stretches of a video become clips: in order, none over another, each {@link LEAST_CLIP_SECONDS} to {@link MOST_CLIP_SECONDS} long, each beginning at a
 * key frame (so that a copy has just this stretch), out of the first {@link MOST_FETCHED_SECONDS}. They begin and end where a scene does, not amid
 * sentences, wherever that can be. The best of all divisions by these costs (shortest path).
 * @param most clips: of more, as many are taken, spread evenly over the video
 */
export function windowsOf(video: WindowFacts, most: number): Span[] {
  const end = Math.min(video.seconds, MOST_FETCHED_SECONDS);
  const places = placesOf(video, end);
  const windows = cheapest(places, (from, to) => windowAt(video, from, to));
  if (windows.length <= most) return windows;
  return Array.from(
    { length: most },
    (_, index) => windows[Math.floor(((index + 0.5) * windows.length) / most)] as Span,
  );
}

interface Priced {
  window: Span | null;
  cost: number;
}

/** Where a clip may begin or end. */
function placesOf({ keyFrames, scenes, speech }: WindowFacts, end: number): number[] {
  const grid = Array.from({ length: Math.floor(end / GRID_SECONDS) }, (_, index) => index * GRID_SECONDS);
  const pauses = speech.flatMap(({ to }, index) => {
    const next = speech[index + 1]?.from ?? end;
    return [(to + next) / 2, Math.min(to + NEAR_SECONDS / 2, next)];
  });
  // A clip ends where the next may begin: at the key frame, wherever one is near.
  const near = (at: number) => keyFrames.find((frame) => Math.abs(frame - at) <= NEAR_SECONDS) ?? at;
  const all = [0, ...thinned([...scenes, ...pauses].map(near)), ...grid, ...thinned(keyFrames), end];
  return [...new Set(all.filter((at) => at >= 0 && at <= end))].sort((a, b) => a - b);
}

function thinned(places: readonly number[]): readonly number[] {
  const every = Math.ceil(places.length / MOST_PLACES);
  return places.filter((_, index) => index % every === 0);
}

/** The window between two places, and what it costs; what is not worth a window costs its time. */
function windowAt(video: WindowFacts, place: number, to: number): Priced {
  const lost = { window: null, cost: PER_LOST_SECOND * (to - place) };
  const from = video.keyFrames.find((frame) => frame >= place);
  if (from === undefined || to - from < LEAST_CLIP_SECONDS || to - from > MOST_CLIP_SECONDS) return lost;
  const length = PER_DOUBLING * Math.abs(Math.log2((to - from) / WANTED_SECONDS));
  const ends = to >= video.seconds - NEAR_SECONDS ? 0 : costOf(video, to);
  const cost = length + (from <= NEAR_SECONDS ? 0 : costOf(video, from)) + ends + PER_LOST_SECOND * (from - place);
  return { window: { from, to }, cost };
}

function costOf({ scenes, speech }: WindowFacts, at: number): number {
  const isSpoken = speech.some(({ from, to }) => from < at && at < to);
  const isNew = scenes.some((scene) => Math.abs(scene - at) <= NEAR_SECONDS);
  return (isSpoken ? AMID_SENTENCE : 0) + (isNew ? 0 : AMID_SCENE);
}

/** The cheapest way from the first place to the last. */
function cheapest(places: readonly number[], priced: (from: number, to: number) => Priced): Span[] {
  const best: { cost: number; before: number; window: Span | null }[] = [{ cost: 0, before: -1, window: null }];
  for (let to = 1; to < places.length; to++) {
    let found = { cost: Number.POSITIVE_INFINITY, before: to - 1, window: null as Span | null };
    for (let from = to - 1; from >= 0; from--) {
      const [begin = 0, end = 0] = [places[from], places[to]];
      if (end - begin > MOST_CLIP_SECONDS && from < to - 1) break;
      const { window, cost } = priced(begin, end);
      const sum = (best[from]?.cost ?? 0) + cost;
      if ((window || from === to - 1) && sum < found.cost) found = { cost: sum, before: from, window };
    }
    best.push(found);
  }
  const windows: Span[] = [];
  for (let at = places.length - 1; at > 0; at = best[at]?.before ?? -1) {
    const { window } = best[at] as { window: Span | null };
    if (window) windows.unshift(window);
  }
  return windows;
}
