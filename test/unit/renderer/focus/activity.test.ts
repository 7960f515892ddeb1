import { expect, it } from 'vitest';
import { atWork } from '../../../../src-main/subnets/omega/focus/rules/work.ts';
import { mostMoved } from '../../../../src-preload/contract/most-moved.ts';
import { barHeights } from '../../../../src-renderer/pages/focus/bar-heights.ts';
import { busyMs } from '../../../../src-renderer/pages/focus/record/busy.ts';
import { ActiveClock } from '../../../../src-renderer/pages/focus/recording/active-clock.ts';
import { changedBlocks } from '../../../../src-renderer/pages/focus/recording/motion.ts';
import { OwnInput } from '../../../../src-renderer/pages/focus/recording/own-input.ts';
import { pictureHash } from '../../../../src-renderer/pages/focus/recording/picture-hash.ts';

it('the clock of a recording stands while it is paused, and goes on where it was set', () => {
  let now = 100;
  const clock = new ActiveClock(() => now);
  expect(clock.ms).toBe(0);
  clock.run();
  clock.run();
  now += 1_000.4;
  expect(clock.ms).toBe(1_000);
  clock.hold();
  now += 5_000;
  clock.hold();
  expect(clock.ms).toBe(1_000);
  clock.run();
  now += 500;
  expect(clock.ms).toBe(1_500);
  clock.set(200);
  now += 500;
  expect(clock.ms).toBe(200);
});

it('motion is how many blocks changed their colour by more than noise', () => {
  const picture = (...blocks: number[][]) => new Uint8ClampedArray(blocks.flat());
  const before = picture([10, 20, 30, 255], [10, 20, 30, 255], [10, 20, 30, 255]);
  expect(changedBlocks(before, before)).toBe(0);
  expect(changedBlocks(before, picture([14, 16, 30, 255], [10, 20, 35, 255], [200, 20, 30, 255]))).toBe(2);
  expect(changedBlocks(before, picture([10, 20, 30, 0], [10, 20, 30, 0], [10, 20, 30, 0]))).toBe(0);
});

it('keys and the mouse are counted, no more than may be told, and not after the end', () => {
  const target = new EventTarget();
  const input = new OwnInput(target);
  const happen = (type: string, times = 1) => {
    for (let i = 0; i < times; i++) target.dispatchEvent(new Event(type));
  };
  happen('keydown', 3);
  happen('keyup', 3);
  happen('pointerdown');
  happen('pointermove', 20_000);
  expect(input.take()).toEqual({ keys: 3, clicks: 1, moves: 10_000 });
  expect(input.take()).toEqual({ keys: 0, clicks: 0, moves: 0 });
  input.close();
  happen('keydown');
  expect(input.take()).toEqual({ keys: 0, clicks: 0, moves: 0 });
});

it('a picture keeps its bits when it is encoded again, and another one has others', () => {
  const blocks = (light: (x: number, y: number) => number) =>
    Uint8ClampedArray.from({ length: 64 * 36 * 4 }, (_, at) => light((at >> 2) % 64, Math.floor((at >> 2) / 64)));
  const one = blocks((x, y) => 120 + 60 * Math.sin(x / 5) + 40 * Math.cos(y / 3));
  const again = one.map((value, at) => value + ((at * 7) % 5) - 2);
  const other = blocks((x, y) => 120 + 60 * Math.cos(x / 4) + 40 * Math.sin((x * y) / 90));
  const differ = (a: string, b: string) =>
    [...a].reduce(
      (sum, digit, at) =>
        sum + (Number.parseInt(digit, 16) ^ Number.parseInt(b[at] ?? '0', 16)).toString(2).replaceAll('0', '').length,
      0,
    );
  expect(pictureHash(one)).toMatch(/^[0-9a-f]{16}$/);
  expect(differ(pictureHash(one), pictureHash(again))).toBeLessThanOrEqual(3);
  expect(differ(pictureHash(one), pictureHash(other))).toBeGreaterThan(15);
});

it('bars show the most of each stretch, and a typed word beside another window', () => {
  expect(barHeights([0, 7, 2_304, 9_999]).map((bar) => Math.round(10 * bar))).toEqual([0, 3, 10, 10]);
  expect(mostMoved([1, 5, 2, 4, 9, 3, 8], 3)).toEqual([5, 9, 8]);
  expect(mostMoved([1, 5, 2], 3)).toEqual([1, 5, 2]);
  expect(mostMoved([], 120)).toEqual([]);
  const longest = Array.from({ length: 5_400 }, (_, at) => at);
  expect(mostMoved(longest, 120)).toEqual(Array.from({ length: 120 }, (_, at) => 45 * at + 44));
});

it('somebody is busy for twenty seconds around whatever they did, and no longer than it was recorded', () => {
  const seconds = (count: number, done: Record<number, { motion?: number; used?: boolean }>) =>
    Array.from({ length: count }, (_, at) => ({ activeMs: (at + 1) * 1_000, motion: 0, used: false, ...done[at] }));
  expect(busyMs([], true)).toBe(0);
  expect(busyMs(seconds(300, { 7: { motion: 1 } }), false)).toBe(0); // a cursor that blinks
  expect(busyMs(seconds(300, { 99: { motion: 7 } }), false)).toBe(40_000);
  expect(busyMs(seconds(300, { 99: { motion: 7 } }), true)).toBe(0); // a film, while keys and mouse are counted
  expect(busyMs(seconds(300, { 99: { used: true }, 109: { used: true } }), true)).toBe(50_000);
  expect(busyMs(seconds(30, { 0: { used: true }, 29: { used: true } }), true)).toBe(30_000);
});

it('who is busy while it is recorded is at work by the rules that score it, whether keys and mouse are counted or not', () => {
  const seconds = Array.from({ length: 200 }, (_, at) => ({
    motion: at % 90 === 0 ? 7 : 0,
    keys: at % 70 === 0 ? 3 : 0,
  }));
  for (const isCounted of [true, false]) {
    const shown = seconds.map(({ motion, keys }, at) => ({ activeMs: (at + 1) * 1_000, motion, used: keys > 0 }));
    const judged = seconds.map(({ motion, keys }, at) => {
      const counts = isCounted ? { keys, clicks: 0, moves: 0 } : { keys: null, clicks: null, moves: null };
      return { ...counts, motion, activeMs: (at + 1) * 1_000, at, picture: null, idleMs: null };
    });
    expect(busyMs(shown, isCounted) / 1_000).toBeCloseTo(atWork(judged), -1);
  }
});
