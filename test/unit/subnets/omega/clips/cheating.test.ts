/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../../src-main/base/seeded-random.ts';
import type { ClipsTask } from '../../../../../src-main/subnets/omega/clips/checking/clips-task.ts';
import { judgeVideos } from '../../../../../src-main/subnets/omega/clips/checking/judge-videos.ts';
import { CHECK_SHARE } from '../../../../../src-main/subnets/omega/clips/rules/deep-check.ts';
import { PRESETS, type SharesPreset } from '../../../../../src-main/validation/scoring/presets.ts';
import { weighByShares } from '../../../../../src-main/validation/scoring/shares.ts';
import { STRATEGIES, type Strategy } from '../../../../support/clip-cheats.ts';
import { honestClip, videosText } from '../../../../support/handed-in.ts';
import { clipChecking } from '../../../../support/judged-clips.ts';

/*
 * What each way of answering earns on average, by the very program that judges (see docs/validator.md, «What lying earns»): not by chance, but each of the nine outcomes of an answer times how
 * likely it is. And what that comes to as weight beside honest miners, where means below nothing count as nothing.
 */

const TOPICS = ['owls night', 'river boat', 'bread oven', 'violin lesson', 'train winter'];
const ANSWERS = 10;

interface Earned {
  /** Where nobody looks, and where somebody does, on average. */
  unlooked: number;
  looked: number;
  expected: number;
  /** How often a look finds a lie. */
  found: number;
}

const tidying: (() => Promise<void>)[] = [];
const earned = new Map<string, Earned>();
/** What all have known for long. */
const asTask = (topic: string, key: string, how: Partial<ClipsTask>): ClipsTask => ({
  ...{ wanted: { of: 'videos', topic, count: 8 }, key, isDrawn: false, place: 0, ...how },
});

async function earns(strategy: Strategy): Promise<Earned> {
  const { ports } = await clipChecking({}, (tidy) => tidying.push(tidy));
  let key = 0;
  const keyOf = () => `${key++}`.padStart(32, '0');
  for (const topic of TOPICS) {
    const known = Array.from({ length: 8 }, (_, at) => honestClip(`${topic} tree moon:known ${at}`));
    await judgeVideos(ports, asTask(topic, keyOf(), {}), videosText(known), { party: 'others' });
  }
  for (let at = 0; at < 12; at++)
    await judgeVideos(ports, asTask('owls', keyOf(), { isDrawn: true }), videosText([honestClip(`owls:o${at}`)]), {
      party: 'others',
    });
  const scores: { unlooked: number; looked: number; lies: number }[] = [];
  for (let nth = 0; nth < ANSWERS; nth++) {
    const topic = TOPICS[nth % TOPICS.length] as string;
    const text = videosText(strategy(topic, nth));
    const own = keyOf();
    let [looked, lies] = [0, 0];
    for (let place = 0; place < 8; place++) {
      const { score } = await judgeVideos(ports, asTask(topic, own, { isDrawn: true, place: place / 8 }), text);
      looked += score / 8;
      lies += Number(score < 0) / 8;
    }
    const { score: unlooked } = await judgeVideos(ports, asTask(topic, own, {}), text, { party: 'miner' });
    scores.push({ unlooked, looked, lies });
  }
  const mean = (of: (one: (typeof scores)[number]) => number) =>
    scores.reduce((sum, one) => sum + of(one), 0) / scores.length;
  const [unlooked, looked] = [mean((one) => one.unlooked), mean((one) => one.looked)];
  return {
    unlooked,
    looked,
    expected: (1 - CHECK_SHARE) * unlooked + CHECK_SHARE * looked,
    found: mean((one) => one.lies),
  };
}

/** Of 200 answers, what a miner's weight is as a share of an honest one's, on average of so many miners. */
function weightBeside(honest: Earned, { unlooked, found }: Earned, answers = 200, miners = 400): number {
  const draw = seededRandom(17);
  const preset = PRESETS.find(({ name }) => name === 'omega') as SharesPreset;
  let sum = 0;
  for (let miner = 0; miner < miners; miner++) {
    let [total, lies] = [0, 0];
    for (let at = 0; at < answers; at++) {
      const isLie = draw.uniform() < CHECK_SHARE * found;
      total += isLie ? -5 : unlooked;
      lies += Number(isLie);
    }
    const sample = (mean: number, negatives: number) =>
      new Map([['omega-videos', { count: answers, mean, meanSquare: 1, zeros: 0, negatives }]]);
    const contenders = [
      { miner: 'one', since: 1, samples: sample(total / answers, lies) },
      { miner: 'honest', since: 1, samples: sample(honest.unlooked, 0) },
    ];
    const [one, other] = weighByShares(contenders, { environments: ['omega-videos'], preset, burnt: 0 }).miners;
    sum += (one?.weight ?? 0) / (other?.weight ?? 1);
  }
  return sum / miners;
}

beforeAll(async () => {
  for (const [name, strategy] of Object.entries(STRATEGIES)) earned.set(name, await earns(strategy));
});

afterAll(async () => {
  for (const tidy of tidying) await tidy();
});

/** What a miner has on average of so many answers, one after the other, of which each is looked at by chance. */
async function earnsInARow(strategy: Strategy, answers: number): Promise<number> {
  const { ports } = await clipChecking();
  const draw = seededRandom(3);
  const at = async (nth: number, party: string, how: Strategy) => {
    const topic = TOPICS[nth % TOPICS.length] as string;
    const isDrawn = draw.uniform() < CHECK_SHARE;
    const task = asTask(topic, `${party} ${nth}`, { isDrawn, place: draw.uniform() });
    return (await judgeVideos(ports, task, videosText(how(topic, nth)), { party })).score;
  };
  let sum = 0;
  for (let nth = 0; nth < answers; nth++) {
    sum += await at(nth, 'one', strategy);
    await at(nth, 'honest', (topic, number) => [honestClip(`${topic} moon tree:${number}`)]);
  }
  return sum / answers;
}

const LIES = [
  'made up vectors',
  'made up sound alone',
  'a sound for silent videos',
  'the wrong stretch',
  'vectors of a better video',
  'vectors bent to the topic',
];
/** The video cannot be had, or may be another one by now. */
const UNPROVEN = ['videos that are not there', 'made up vectors, from a server of one’s own'];
const NOW_AND_THEN = ['seven honest, one made up', 'made up in one answer of ten'];
const LAZY = [
  'clips of anything',
  'clips that others handed in',
  'one clip eight times',
  'long descriptions of words for anything',
];
/** Each answer but the first to a topic is of what is known. */
const REPEATING = ['the same clips each time'];
const WORDED = ['descriptions written for the topic', 'descriptions written to fit the vectors'];

const of = (name: string) => earned.get(name) as Earned;

describe('lying', () => {
  it.each(LIES)('loses more than it earns, and has no weight: %s', (name) => {
    expect(of(name).found).toBe(1);
    expect(of(name).expected).toBeLessThan(0);
    expect(weightBeside(of('honest'), of(name))).toBeLessThan(0.01);
  });

  it.each(NOW_AND_THEN)('earns less than honesty where it is done now and then: %s', (name) => {
    expect(of(name).unlooked).toBeGreaterThan(of('honest').unlooked);
    expect(of(name).expected).toBeLessThan(of('honest').expected - 0.04);
    expect(weightBeside(of('honest'), of(name))).toBeLessThan(0.9);
  });

  it.each(UNPROVEN)('where nobody can prove it is not punished, and does not pay: %s', async (name) => {
    expect(of(name).found).toBe(0);
    expect(await earnsInARow(STRATEGIES[name] as Strategy, 100)).toBeLessThan(of('honest').expected / 2);
  });
});

describe('whoever does not lie', () => {
  it('is shown to lie by no look', () => {
    for (const name of ['honest', ...LAZY, ...REPEATING, ...WORDED]) expect(of(name).found).toBe(0);
  });

  it.each(LAZY)('and saves the work earns less than half: %s', (name) => {
    expect(of(name).expected).toBeLessThan(of('honest').expected / 2);
  });

  it.each(REPEATING)('and hands in the same again earns with the first answers alone: %s', async (name) => {
    const first = of(name).expected * (ANSWERS / TOPICS.length);
    expect(first).toBeLessThan(of('honest').expected * 1.05);
    expect(await earnsInARow(STRATEGIES[name] as Strategy, 30)).toBeLessThan(of('honest').expected / 4);
  });

  it.each(WORDED)('and writes for who judges earns no more than who describes: %s', (name) => {
    expect(of(name).expected).toBeLessThan(of('honest').expected + 0.01);
  });
});

it('every way is among these', () => {
  const named = ['honest', ...UNPROVEN, ...LIES, ...NOW_AND_THEN, ...LAZY, ...REPEATING, ...WORDED];
  expect(named.sort()).toEqual(Object.keys(STRATEGIES).sort());
});
