import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src-main/base/seeded-random.ts';
import type { Span } from '../../../../src-main/clips/media/media.ts';
import { type WindowFacts, windowsOf } from '../../../../src-main/clips/media/windows.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

const everySecond = (seconds: number) => Array.from({ length: Math.ceil(seconds) }, (_, index) => index);
const facts = (more: Partial<WindowFacts> & { seconds: number }): WindowFacts => ({
  keyFrames: everySecond(more.seconds),
  scenes: [],
  speech: [],
  ...more,
});

describe('windowsOf', () => {
  it('takes a short video whole', () => {
    expect(windowsOf(facts({ seconds: 14.4 }), 8)).toEqual([{ from: 0, to: 14.4 }]);
  });

  it('makes nothing of one that is shorter than a clip', () => {
    expect(windowsOf(facts({ seconds: 4.9 }), 8)).toEqual([]);
  });

  it('begins and ends where scenes do', () => {
    const windows = windowsOf(facts({ seconds: 100, scenes: [22, 61] }), 8);
    expect(windows).toEqual([
      { from: 0, to: 22 },
      { from: 22, to: 61 },
      { from: 61, to: 100 },
    ]);
  });

  it('does not cut a sentence for a scene', () => {
    const speech = [
      { from: 1, to: 28.5 },
      { from: 31.5, to: 59 },
    ];
    const windows = windowsOf(facts({ seconds: 60, scenes: [25], speech }), 8);
    expect(windows.length).toBe(2);
    expect(windows[0]?.to).toBeGreaterThanOrEqual(28.5);
    expect(windows[0]?.to).toBeLessThanOrEqual(31.5);
    expect(windows[1]?.from).toBeLessThanOrEqual(31.5);
  });

  it('cuts a speech that is longer than a clip may be', () => {
    const windows = windowsOf(facts({ seconds: 290, speech: [{ from: 0, to: 290 }] }), 8);
    expect(windows.length).toBeGreaterThanOrEqual(3);
    expect(windows.reduce((sum, { from, to }) => sum + to - from, 0)).toBeGreaterThan(280);
  });

  it('takes what a copy can have where only one key frame is there', () => {
    expect(windowsOf(facts({ seconds: 280, keyFrames: [0] }), 8)).toEqual([{ from: 0, to: expect.any(Number) }]);
    expect(windowsOf(facts({ seconds: 280, keyFrames: [] }), 8)).toEqual([]);
  });

  it('looks at nothing after five minutes', () => {
    expect(windowsOf(facts({ seconds: 4_000 }), 100).at(-1)?.to).toBeLessThanOrEqual(300);
  });

  it('spreads as many as are wanted over the video', () => {
    const all = windowsOf(facts({ seconds: 300 }), 100);
    expect(all.length).toBeGreaterThan(6);
    const some = windowsOf(facts({ seconds: 300 }), 3);
    expect(some.length).toBe(3);
    expect(all).toEqual(expect.arrayContaining(some));
    expect((some[2] as Span).from - (some[0] as Span).to).toBeGreaterThan(100);
  });

  it.each(Array.from({ length: 200 }, (_, seed) => seed))('keeps its rules whatever the video is (seed %i)', (seed) => {
    const video = randomVideo(seed);
    const windows = windowsOf(video, 8);
    expect(windows.length).toBeLessThanOrEqual(8);
    let last = 0;
    for (const { from, to } of windows) {
      expect(video.keyFrames).toContain(from);
      expect(from).toBeGreaterThanOrEqual(last);
      expect(to - from).toBeGreaterThanOrEqual(5);
      expect(to - from).toBeLessThanOrEqual(120);
      expect(to).toBeLessThanOrEqual(Math.min(300, video.seconds));
      last = to;
    }
    expect(windowsOf(video, 8)).toEqual(windows);
  });

  it('ends no clip amid a sentence where sentences are short and key frames many', () => {
    for (let seed = 0; seed < 50; seed++) {
      const video = { ...randomVideo(seed), keyFrames: Array.from({ length: 300 }, (_, index) => index) };
      const amid = windowsOf(video, 100).filter(({ to }) =>
        video.speech.some((span) => span.from < to && to < span.to),
      );
      expect(amid).toEqual([]);
    }
  });

  it('takes no long time for a video that was made to take it', async () => {
    const often = Array.from({ length: 20_000 }, (_, index) => (index * 300) / 20_000);
    const video = {
      seconds: 300,
      keyFrames: often,
      scenes: often,
      speech: often.map((from) => ({ from, to: from + 0.01 })),
    };
    expect(await cpuMs(() => windowsOf(video, 8))).toBeLessThan(300);
  });
});

function randomVideo(seed: number): WindowFacts {
  const random = seededRandom(seed);
  const seconds = 300 * random.uniform();
  const many = (every: number) => Array.from({ length: Math.floor(seconds / every) }, () => seconds * random.uniform());
  const speech: Span[] = [];
  for (let at = random.uniform() * 3; at < seconds - 4; at += 0.4 + random.uniform()) {
    const to = at + 0.5 + random.uniform() * 3;
    speech.push({ from: at, to });
    at = to;
  }
  const keyFrames = [0, ...many(1 + 9 * random.uniform())].sort((a, b) => a - b);
  return { seconds, keyFrames, scenes: many(15).sort((a, b) => a - b), speech: seed % 3 === 0 ? [] : speech };
}
