import { describe, expect, it } from 'vitest';
import { type SeededRandom, seededRandom } from '../../../../../src-main/base/seeded-random.ts';
import type { TextVectors } from '../../../../../src-main/clips/models/clip-models.ts';
import { MOST_CLOSENESS } from '../../../../../src-main/clips/models/files/model-manifest.ts';
import type { SpaceThresholds } from '../../../../../src-main/clips/models/space-thresholds.ts';
import type { SubmittedClip } from '../../../../../src-main/subnets/omega/clips/rules/clip.ts';
import { CHECK_SHARE, isBent, isOfClip } from '../../../../../src-main/subnets/omega/clips/rules/deep-check.ts';
import { LIE_SCORE, submissionScore } from '../../../../../src-main/subnets/omega/clips/rules/submission-score.ts';
import { IMAGEBIND } from '../../../../../src-main/subnets/omega/clips/rules/thresholds.ts';

const SIZE = 64;
const TOPIC: TextVectors = { seen: axis(0), heard: axis(0) };

function axis(at: number): Float32Array {
  const vector = new Float32Array(SIZE);
  vector[at] = 1;
  return vector;
}

/** A vector whose cosine to another one is as named, in a direction of its own. */
function near(other: Float32Array, cosine: number, random: SeededRandom): Float32Array {
  const own = Float32Array.from({ length: SIZE }, () => random.normal());
  const along = own.reduce((sum, one, at) => sum + one * (other[at] ?? 0), 0);
  const rest = own.map((one, at) => one - along * (other[at] ?? 0));
  const length = Math.hypot(...rest);
  return rest.map((one, at) => cosine * (other[at] ?? 0) + (Math.sqrt(1 - cosine ** 2) * one) / length);
}

/** A real clip: as near to topic and description as such clips are. */
function honest(random: SeededRandom): SubmittedClip {
  const video = near(axis(0), 0.25 + 0.05 * random.normal(), random);
  const words = near(video, 0.35 + 0.05 * random.normal(), random);
  return {
    ...{ from: 0, to: 30, seen: video, heard: video, description: { seen: words, heard: words } },
    ...{ pieces: [], uniqueTokens: 150, textCloseness: 0.6, distanceToKnown: 1 },
  };
}

/** The best that can be made up: vectors as near to topic and description as makes a difference, each new. */
function madeUp(random: SeededRandom): SubmittedClip {
  const video = near(axis(0), 0.92, random);
  const description = { seen: video, heard: video };
  return { ...honest(random), seen: video, heard: video, description, uniqueTokens: 300, textCloseness: 1 };
}

/** Scores of submissions of one kind. */
const scoresOf = (random: SeededRandom, made: (random: SeededRandom) => SubmittedClip, thresholds: SpaceThresholds) =>
  Array.from({ length: 40 }, () => {
    const clips = Array.from({ length: 8 }, () => made(random));
    return submissionScore(clips, TOPIC, thresholds).score;
  });

/** How much of a miner’s mean a new score is in the original (B2). */
const EMA = 0.3;

/** Long-term mean of a miner. @param share of its submissions that are made up */
function meanOf(random: SeededRandom, share: number, thresholds: SpaceThresholds): number {
  const [right, wrong] = [honest, madeUp].map((made) => scoresOf(random, made, thresholds)) as [number[], number[]];
  let [mean, sum] = [0, 0];
  const rounds = 40_000;
  for (let round = 0; round < rounds; round++) {
    const isLie = random.uniform() < share;
    const score = (isLie ? wrong : right)[Math.floor(random.uniform() * 40)] ?? 0;
    const isFound = random.uniform() < CHECK_SHARE && isLie;
    mean = (1 - EMA) * mean + EMA * (isFound ? LIE_SCORE : score);
    sum += mean;
  }
  return sum / rounds;
}

describe('a clip that is looked at', () => {
  const told = { seen: axis(0), heard: axis(1) };
  it('is right where its vectors are nearly the same', () => {
    const random = seededRandom(1);
    const found = { seen: near(axis(0), 0.97, random), heard: near(axis(1), 0.96, random) };
    expect(isOfClip(told, found, IMAGEBIND)).toBe(true);
  });
  it.each([
    ['picture', { seen: axis(2), heard: axis(1) }],
    ['sound', { seen: axis(0), heard: axis(2) }],
    ['silence', { seen: axis(0), heard: null }],
  ])('is a lie by its %s', (_, found) => {
    expect(isOfClip(told, found, IMAGEBIND)).toBe(false);
  });
});

describe('lying about clips', () => {
  it('costs more than it brings, always or now and then, and honest work pays', () => {
    const random = seededRandom(7);
    const honestly = meanOf(random, 0, IMAGEBIND);
    const always = meanOf(random, 1, IMAGEBIND);
    const seldom = meanOf(random, 0.2, IMAGEBIND);
    expect(honestly).toBeGreaterThan(0.1);
    expect(always).toBeLessThan(0);
    expect(seldom).toBeLessThan(honestly);
  });

  it('would pay without a closest that counts, as in OMEGA', () => {
    const random = seededRandom(7);
    expect(meanOf(random, 1, { ...IMAGEBIND, closest: 1 })).toBeGreaterThan(0.1);
  });

  it('can bring no more than what it costs in the mean, up to the closest that thresholds may have', () => {
    const most = (0.7 * MOST_CLOSENESS + (1.3 * (2 * MOST_CLOSENESS + 0.5)) / 3) / 2;
    expect((1 - CHECK_SHARE) * most + CHECK_SHARE * LIE_SCORE).toBeLessThan(0);
    expect(IMAGEBIND.closest).toBeLessThanOrEqual(MOST_CLOSENESS);
  });
});

it('holds nobody to have bent vectors by as much as two honest readings are apart, whatever was measured', () => {
  const words = [{ seen: axis(0), heard: null }];
  const reading = (closeness: number) => ({ seen: near(axis(0), closeness, seededRandom(1)), heard: null });
  for (const narrow of [
    { closest: 0.1, unrelated: 0.1 },
    { closest: 0.1, unrelated: 0.08 },
    { closest: 0.5, unrelated: 0.7 }, // written by hand
  ]) {
    expect(isBent(reading(0.31), reading(0.3), words, narrow)).toBe(false);
    expect(isBent(reading(0.33), reading(0.3), words, narrow)).toBe(true);
  }
});
