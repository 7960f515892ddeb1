import { sha256 } from '../../src-main/base/sha256.ts';
import type { FocusFacts } from '../../src-main/subnets/omega/focus/rules/facts.ts';
import { SeededRandom } from '../../src-main/validation/seeded-random.ts';
import type { ActivitySecond } from '../../src-preload/contract/focus.ts';

/*
 * Tracks of activity as recordings of real work and of fakes have them, second by second. What a typed word, a scroll or a window change does to the
 * 64 × 36 blocks is as it was measured (7, 553, most of them).
 */

export type Random = () => number;
type What = Pick<ActivitySecond, 'motion'> & Partial<Pick<ActivitySecond, 'keys' | 'clicks' | 'moves' | 'idleMs'>>;

/** Screens that all who work with the same programs see. */
const SHARED_SCREENS = 12;

const STARTED_AT = 1_700_000_000_000;

export interface Track {
  name: string;
  /** What happens in each second. */
  second: (index: number, random: Random) => What;
}

function seededRandom(seed: string): Random {
  const draws = new SeededRandom(seed);
  return () => draws.below(2 ** 24) / 2 ** 24;
}

const between = (random: Random, least: number, most: number) => Math.floor(least + random() * (most - least + 1));
const typing = (random: Random): What => ({ motion: between(random, 2, 25), keys: between(random, 1, 7), moves: 0 });
const scrolling = (random: Random): What => ({ motion: between(random, 200, 800), moves: between(random, 0, 9) });
const reading = (random: Random): What => ({ motion: between(random, 0, 1), moves: random() < 0.15 ? 3 : 0 });
const switching = (random: Random): What => ({ motion: between(random, 900, 2_200), clicks: 1, moves: 9 });

/** Picks one of several by their shares. */
const mix =
  (...parts: [share: number, what: (random: Random) => What][]) =>
  (_: number, random: Random): What => {
    let rest = random();
    for (const [share, what] of parts) {
      rest -= share;
      if (rest < 0) return what(random);
    }
    return reading(random);
  };

/** Work comes in stretches: some seconds of one thing, then of another. */
function stretches(least: number, most: number, next: (index: number, random: Random) => (random: Random) => What) {
  let [left, what] = [0, reading];
  return (index: number, random: Random): What => {
    if (index === 0) left = 0;
    if (left-- <= 0) [left, what] = [between(random, least, most), next(index, random)];
    return what(random);
  };
}

export const HONEST: readonly Track[] = [
  { name: 'writing a program', second: mix([0.5, typing], [0.1, scrolling], [0.04, switching]) },
  {
    name: 'a spreadsheet',
    second: mix([0.3, typing], [0.2, (r) => ({ motion: between(r, 5, 60), clicks: 1, moves: 5 })]),
  },
  {
    name: 'drawing',
    second: mix([0.7, (r) => ({ motion: between(r, 3, 90), clicks: between(r, 0, 1), moves: between(r, 5, 40) })]),
  },
  {
    name: 'research with notes',
    second: stretches(8, 40, (_, r) =>
      r() < 0.4 ? reading : r() < 0.5 ? typing : (rr) => (rr() < 0.3 ? scrolling(rr) : reading(rr)),
    ),
  },
  { name: 'a terminal with long output', second: stretches(5, 15, (_, r) => (r() < 0.4 ? scrolling : typing)) },
  {
    name: 'filling in forms',
    second: mix([0.4, typing], [0.15, (r) => ({ motion: between(r, 10, 300), clicks: 1, moves: 8 })]),
  },
  {
    name: 'a film that is being cut',
    second: stretches(2, 7, (_, r) =>
      r() < 0.5
        ? (rr) => ({ motion: between(rr, 150, 500) })
        : (rr) => ({ motion: between(rr, 5, 80), clicks: 1, moves: 12 }),
    ),
  },
  {
    name: 'a map and a list',
    second: mix([0.25, (r) => ({ motion: between(r, 300, 1_500), moves: 20 })], [0.3, typing]),
  },
  { name: 'slow thinking, little typing', second: mix([0.08, typing], [0.02, scrolling]) },
  {
    name: 'making slides',
    second: mix(
      [0.35, typing],
      [0.25, (r) => ({ motion: between(r, 10, 120), clicks: 1, moves: 15 })],
      [0.03, switching],
    ),
  },
];

export const FAKES: readonly (Track & { rule: string })[] = [
  {
    name: 'a film in a window',
    rule: 'playback',
    second: (_, r) => ({ motion: between(r, 120, 700), keys: 0, clicks: 0, moves: 0 }),
  },
  {
    name: 'screenshots as slides',
    rule: 'slides',
    second: (i, r) =>
      i % 9 === 8 ? { motion: between(r, 1_200, 2_200), clicks: 0, moves: 0 } : { motion: 0, clicks: 0, moves: 0 },
  },
  {
    name: 'slides that somebody clicks through',
    rule: 'slides',
    second: (i, r) =>
      i % 7 === 6 ? { motion: between(r, 1_200, 2_200), clicks: 1, moves: 0 } : { motion: 0, clicks: 0, moves: 0 },
  },
  {
    name: 'a mouse jiggler',
    rule: 'jiggler',
    second: (i) => ({ motion: i % 5 === 0 ? 3 : 0, keys: 0, clicks: 0, moves: i % 5 === 0 ? 4 : 0 }),
  },
  {
    name: 'an empty chair',
    rule: 'work',
    second: (i, r) => (i < 20 ? typing(r) : { motion: 0, keys: 0, clicks: 0, moves: 0 }),
  },
  {
    name: 'a loop of real work',
    rule: 'loop',
    second: (i) => mix([0.5, typing], [0.15, scrolling], [0.05, switching])(0, seededRandom(`loop ${i % 75}`)),
  },
];

/** Every now and then another screen: mostly of programs that everybody has, sometimes one that nobody else sees. */
function picturesOfWork(random: Random): (index: number) => string {
  let picture = screen(0);
  let left = 0;
  return () => {
    if (left-- <= 0) {
      left = between(random, 2, 20);
      picture = screen(random() < 0.7 ? between(random, 0, SHARED_SCREENS) : between(random, 1_000, 1e9));
    }
    return picture;
  };
}

const screen = (number: number): string => sha256(`screen ${number}`).toString('hex', 0, 8);

/** The same recording, cut at both ends and encoded again: in each picture some bits are others. */
export function shownAgain({ seconds, ...facts }: FocusFacts, { from = 45, to = -30, bits = 3 } = {}): FocusFacts {
  const random = seededRandom('again');
  const again = seconds.slice(from, to).map((second, index) => {
    const picture = Buffer.from(second.picture ?? '', 'hex');
    for (let flip = 0; flip < bits; flip++) picture[between(random, 0, 7)]! ^= 1 << between(random, 0, 7);
    return { ...second, picture: picture.toString('hex'), activeMs: (index + 1) * 1_000 };
  });
  const startedAt = facts.startedAt + from * 1_000;
  return { ...facts, startedAt, activeMs: again.length * 1_000, seconds: again };
}

/** A recording of some minutes, as the rules see it. @param told whether this computer tells of keys and mouse */
export function factsOf({ name, second }: Track, { minutes = 6, told = true, seed = '' } = {}): FocusFacts {
  const random = seededRandom(`${name} ${seed}`);
  const nothing = { keys: null, clicks: null, moves: null, idleMs: null };
  const pictures = picturesOfWork(seededRandom(`pictures ${name} ${seed}`));
  const none = { keys: 0, clicks: 0, moves: 0, idleMs: null };
  const seconds = Array.from({ length: minutes * 60 }, (_, index): ActivitySecond => {
    const what = second(index, random);
    const use = told ? { ...none, ...what } : { ...what, ...nothing };
    return {
      ...use,
      picture: pictures(index),
      activeMs: (index + 1) * 1_000,
      at: STARTED_AT + (index + 1) * 1_000 + between(random, 0, 200),
    };
  });
  const chain = { chunks: seconds.length, brokenAt: null };
  return { startedAt: STARTED_AT, activeMs: seconds.length * 1_000, seconds, chain };
}
