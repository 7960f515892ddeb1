import {
  LEAST_CLIP_SECONDS,
  MOST_CLIP_SECONDS,
  MOST_FETCHED_SECONDS,
} from '../../../src-preload/contract/data-limits.ts';
import { thinned } from '../../base/thinned.ts';
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
/** What as many seconds as are wanted cost in a clip twice as long as that, or half as long. */
const PER_DOUBLING = 0.5;
/** What it costs to begin or end there: amid a sentence, or amid a scene. A scene that ends while nobody speaks costs nothing. */
const [AMID_SENTENCE, AMID_SCENE] = [1.5, 0.35];
/** What a second that comes into no clip costs. */
const PER_LOST_SECOND = 0.2;
/** Without a better place a clip may end at every so many seconds. */
const GRID_SECONDS = 5;
/** A scene and a sentence may be so far beside a key frame. */
const NEAR_SECONDS = 0.25;
/** So long before its key frame a clip's place may be. */
const LONGEST_WAIT_SECONDS = 60;
/** More of each than a sensible video has; of others not all are looked at. */
const MOST_PLACES = 300;

/**
 * Which stretches of a video become clips: in order, none over another, each {@link LEAST_CLIP_SECONDS} to {@link MOST_CLIP_SECONDS} long, each beginning at a
 * key frame (so that a copy has just this stretch), out of the first {@link MOST_FETCHED_SECONDS}. They begin and end where a scene does, not amid
 * sentences, wherever that can be. The best of all divisions by these costs (shortest path).
 * @param most clips: of more, as many are taken, spread evenly over the video
 */
export function windowsOf(video: WindowFacts, most: number): Span[] {
  const end = Math.min(video.seconds, MOST_FETCHED_SECONDS);
  const some = {
    ...video,
    keyFrames: thinned(video.keyFrames, MOST_PLACES),
    scenes: thinned(video.scenes, MOST_PLACES),
    speech: thinned(video.speech, MOST_PLACES),
  };
  const places = placesOf(some, end).map((at) => placeAt(some, at, end));
  const windows = cheapest(places);
  if (windows.length <= most) return windows;
  return Array.from(
    { length: most },
    (_, index) => windows[Math.floor(((index + 0.5) * windows.length) / most)] as Span,
  );
}

/** Where a clip may end, and the next begin. */
interface Place {
  at: number;
  /** Where a clip begins that begins here: the next key frame. Infinite where there is none. */
  from: number;
  /** What it costs that a clip begins here, and that one ends here. */
  begin: number;
  end: number;
}

function placesOf({ keyFrames, scenes, speech }: WindowFacts, end: number): number[] {
  const grid = Array.from({ length: Math.floor(end / GRID_SECONDS) }, (_, index) => index * GRID_SECONDS);
  const pauses = speech.flatMap(({ to }, index) => [to, (to + (speech[index + 1]?.from ?? end)) / 2]);
  const known = [...scenes, ...pauses];
  // A clip ends where the next may begin: at the key frame, wherever one is near.
  const near = known.flatMap((at) => keyFrames.find((frame) => Math.abs(frame - at) <= NEAR_SECONDS) ?? []);
  const all = [0, ...known, ...near, ...grid, ...keyFrames, end];
  return [...new Set(all.filter((at) => at >= 0 && at <= end))].sort((a, b) => a - b);
}

function placeAt(video: WindowFacts, at: number, end: number): Place {
  const from = video.keyFrames.find((frame) => frame >= at) ?? Number.POSITIVE_INFINITY;
  const begin = (from <= NEAR_SECONDS ? 0 : costOf(video, from)) + PER_LOST_SECOND * (from - at);
  return { at, from, begin, end: at >= end ? 0 : costOf(video, at) };
}

function costOf({ scenes, speech }: WindowFacts, at: number): number {
  const isSpoken = speech.some(({ from, to }) => from < at && at < to);
  const isNew = scenes.some((scene) => Math.abs(scene - at) <= NEAR_SECONDS);
  return (isSpoken ? AMID_SENTENCE : 0) + (isNew ? 0 : AMID_SCENE);
}

interface Way {
  cost: number;
  /** The place before. */
  before: number;
  /** The clip on the way from there; null where that time is lost. */
  window: Span | null;
}

/** The cheapest way from the first place to the last. */
function cheapest(places: readonly Place[]): Span[] {
  const ways: Way[] = [{ cost: 0, before: -1, window: null }];
  for (let to = 1; to < places.length; to++) ways.push(cheapestTo(to, places, ways));
  const windows: Span[] = [];
  for (let at = ways.length - 1; at > 0; at = ways[at]?.before ?? 0) {
    const window = ways[at]?.window;
    if (window) windows.unshift(window);
  }
  return windows;
}

function cheapestTo(to: number, places: readonly Place[], ways: readonly Way[]): Way {
  const place = places[to] as Place;
  const { at: last = 0 } = places[to - 1] ?? {};
  const way: Way = {
    cost: (ways[to - 1]?.cost ?? 0) + PER_LOST_SECOND * (place.at - last),
    before: to - 1,
    window: null,
  };
  for (let before = to - 1; before >= 0; before--) {
    const { at, from, begin } = places[before] as Place;
    if (place.at - at > MOST_CLIP_SECONDS + LONGEST_WAIT_SECONDS) break;
    const length = place.at - from;
    if (length < LEAST_CLIP_SECONDS || length > MOST_CLIP_SECONDS) continue;
    const long = (length / WANTED_SECONDS) * PER_DOUBLING * Math.abs(Math.log2(length / WANTED_SECONDS));
    const cost = (ways[before]?.cost ?? 0) + begin + long + place.end;
    if (cost < way.cost) Object.assign(way, { cost, before, window: { from, to: place.at } });
  }
  return way;
}
