import { describe, expect, it } from 'vitest';
import { soundQuality, soundScore } from '../../../../../src-main/subnets/omega/clips/sound/sound-quality.ts';

const RATE = 16_000;
const seconds = (count: number, level: (second: number) => number) =>
  Float32Array.from({ length: count * RATE }, (_, at) => level(at / RATE) * (at % 2 ? 1 : -1));
const turn = (from: number, to: number, speaker: string) => ({ from, to, speaker });

describe('the quality of a sound', () => {
  it('is best with two who share it evenly, and speech far above the noise', () => {
    const samples = seconds(60, (at) => (at < 6 ? 0 : 0.5));
    const found = soundQuality(samples, RATE, [turn(0, 30, 'A'), turn(30, 60, 'B')], 60);
    expect(found).toEqual({ speech: 1, dominance: 1, noise: 1, speakers: 1, quality: 1 });
  });

  it('counts who speaks most by the length of the sound', () => {
    const found = soundQuality(
      seconds(60, () => 0.5),
      RATE,
      [turn(0, 45, 'A'), turn(45, 60, 'B')],
      30,
    );
    expect(found).toMatchObject({ speech: 0.5, dominance: 0.5, noise: 0 });
    expect(found.quality).toBeCloseTo(0.2 * 0.5 + 0.2 * 0.5 + 0.5, 9);
  });

  it('counts one speaker and a crowd nothing, three a half, four a third', () => {
    const speakers = (count: number) =>
      soundQuality(
        seconds(60, () => 0.5),
        RATE,
        Array.from({ length: count }, (_, at) => turn(at, at + 1, `S${at}`)),
        60,
      ).speakers;
    expect([0, 1, 2, 3, 4, 5].map(speakers)).toEqual([0, 0, 1, 1 / 2, 1 / 3, 0]);
  });

  it('grows with the decibels between the whole and its quietest tenth, up to fifty', () => {
    const noise = (level: number) =>
      soundQuality(
        seconds(60, (at) => (at < 12 ? level : 1)),
        RATE,
        [],
        0,
      ).noise;
    expect(noise(0.1)).toBeCloseTo((10 * Math.log10((0.2 * 0.01 + 0.8) / 0.01)) / 50, 6);
    expect(noise(1e-6)).toBe(1);
    expect(soundQuality(new Float32Array(60 * RATE), RATE, [], 0).noise).toBe(0);
  });
});

describe('the score of sounds', () => {
  it('is 0.6 the diarisation, 0.1 the length, 0.2 the quality and 0.1 the topic', () => {
    expect(soundScore({ errorRate: 0.25, seconds: 160, quality: 0.5, topic: 0.3 })).toBeCloseTo(
      0.6 * 0.75 + 0.1 * 0.5 + 0.2 * 0.5 + 0.1 * 0.3,
      9,
    );
  });
  it('takes a rate above one for one', () => {
    expect(soundScore({ errorRate: 3, seconds: 0, quality: 0, topic: 0 })).toBe(0);
  });
});
