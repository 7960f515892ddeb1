import { expect, it } from 'vitest';
import { Slices } from '../../../../src-main/base/slices.ts';
import {
  compareMeans,
  compareRanges,
  compareSpeeds,
  dominates,
  rangeOf,
  type Sample,
} from '../../../../src-main/validation/scoring/comparison.ts';
import { Field } from '../../../../src-main/validation/scoring/field.ts';
import { type DominancePreset, PRESETS } from '../../../../src-main/validation/scoring/presets.ts';
import { SeededRandom } from '../../../../src-main/validation/seeded-random.ts';

const ENVIRONMENTS = ['a', 'b', 'c', 'd'];

function contenders(count: number, seed: string) {
  const random = new SeededRandom(seed);
  const sample = (): Sample => {
    const mean = random.below(6) / 5;
    return { count: random.below(900), mean, meanSquare: mean };
  };
  return Array.from({ length: count }, (_, at) => {
    const samples = ENVIRONMENTS.map((name) => [name, sample()] as const);
    return { miner: `m${at}`, since: random.below(count / 2), samples: new Map(samples) };
  });
}

type One = ReturnType<typeof contenders>[number];

/** Pair by pair. */
function comparing(all: readonly One[], preset: DominancePreset): (one: One, other: One, set: number) => boolean {
  const samplesOf = new Map(all.map((one) => [one, [...one.samples.values()]]));
  const ahead = (one: One, other: One) => other.since - one.since;
  if (preset.compares === 'means') {
    return (one, other, set) =>
      dominates(compareMeans(samplesOf.get(one)!, samplesOf.get(other)!, preset), ahead(one, other) > 0, set);
  }
  if (preset.compares === 'speeds') {
    return (one, other, set) =>
      dominates(compareSpeeds(samplesOf.get(one)!, samplesOf.get(other)!, preset), false, set);
  }
  const { least } = preset;
  const rangesOf = new Map([...samplesOf].map(([one, own]) => [one, own.map((sample) => rangeOf(sample, preset))]));
  return (one, other, set) => {
    const comparison = compareRanges(rangesOf.get(one)!, rangesOf.get(other)!, { ahead: ahead(one, other), least });
    return dominates(comparison, ahead(one, other) > 0, set);
  };
}

const DOMINANCE = PRESETS.filter((preset): preset is DominancePreset => preset.compares !== 'shares');

it.each(DOMINANCE.flatMap((preset) => [1, 2, 33, 70].map((count) => ({ name: preset.name, preset, count }))))(
  '$count who take part dominate as they do pair by pair, by $name',
  async ({ name, preset, count }) => {
    const all = contenders(count, `${name} ${count}`);
    const isOver = comparing(all, preset);
    const field = await Field.of(all, ENVIRONMENTS, { preset, slices: new Slices() });
    for (const set of [1, 6, 8, 11, 15]) {
      for (const [at, one] of all.entries()) {
        const others = all.filter((other) => other !== one);
        expect(field.dominated(at, set)).toBe(others.filter((other) => isOver(one, other, set)).length);
        expect(field.isFree(at, set)).toBe(!others.some((other) => isOver(other, one, set)));
      }
    }
  },
);
