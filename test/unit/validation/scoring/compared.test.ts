import { describe, expect, it } from 'vitest';
import { compared, compareMeans, type Sample } from '../../../../src-main/validation/scoring/comparison.ts';
import { type MeansPreset, PRESETS } from '../../../../src-main/validation/scoring/presets.ts';

const sample = (mean: number, count = 1_000): Sample => ({ count, mean, meanSquare: mean });
const [intervals] = PRESETS;
const means = PRESETS.find(({ name }) => name === '2025-09-03') as MeansPreset;

describe('how one miner does beside another', () => {
  it('is better, as good or worse in each environment, as it counts for dominating', () => {
    const ours = [0.9, 0.74, 0.5].map((mean) => sample(mean));
    const theirs = [0.8, 0.75, 0.6].map((mean) => sample(mean));
    expect(compared(ours, theirs, means)).toEqual(['better', 'even', 'worse']);
    const { notWorse, better } = compareMeans(ours, theirs, means);
    expect([notWorse, better]).toEqual([0b011, 0b001]);
  });

  it('is as good where intervals overlap, whoever was first, and where both have too few results', () => {
    expect(compared([sample(0.74)], [sample(0.75)], intervals)).toEqual(['even']);
    expect(compared([sample(0.9)], [sample(0.7)], intervals)).toEqual(['better']);
    expect(compared([sample(0.7)], [sample(0.9)], intervals)).toEqual(['worse']);
    expect(compared([sample(0.9, 20)], [sample(0.1, 20)], intervals)).toEqual(['even']);
    expect(compared([sample(0.9, 20)], [sample(0.1)], intervals)).toEqual(['worse']);
  });
});
