import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeLabels, textWidth, wordingFor } from '../../../src-renderer/components/chart/labels.ts';
import { areaPath, linePath, nearest } from '../../../src-renderer/components/chart/line-path.ts';
import { digitsOf, gridValues, niceMaximum, steadyMaximum } from '../../../src-renderer/components/chart/scale.ts';
import { roundTimes, spread, timeStyle } from '../../../src-renderer/components/chart/time-axis.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** By this computer's clock: 20 November 2026. */
const clock = (hour: number, minute = 0, second = 0) => new Date(2026, 10, 20, hour, minute, second).getTime();
const hoursOf = (times: number[]) => times.map((at) => new Date(at).toTimeString().slice(0, 5));

describe('the lines of a chart', () => {
  it.each([
    [0, [0, 1, 2, 3]],
    [0.5, [0, 0.2, 0.4, 0.6]],
    [3, [0, 1, 2, 3]],
    [47, [0, 20, 40, 60]],
    [61, [0, 30, 60, 90]],
    [1_234, [0, 500, 1_000, 1_500]],
  ])('are four round ones, the upper not below %d', (highest, lines) => {
    expect(gridValues(niceMaximum(highest))).toEqual(lines);
  });

  it('are whole numbers where halves are nonsense', () => {
    expect(gridValues(niceMaximum(1, true))).toEqual([0, 1, 2, 3]);
  });

  it('leave no more than half of the chart empty, and need few digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (highest) => {
        const maximum = niceMaximum(highest);
        expect(maximum).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
        expect(highest / maximum).toBeGreaterThan(0.49);
        expect(String(gridValues(maximum)[1]).replace(/0|\.|e.*$/g, '').length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('take a given maximum apart in the rounder way', () => {
    expect(gridValues(100)).toEqual([0, 25, 50, 75, 100]);
    expect(gridValues(60)).toEqual([0, 20, 40, 60]);
  });

  it('stay while values come and go: they move when a value no longer fits, or most of the chart is empty', () => {
    expect(steadyMaximum(undefined, 47)).toBe(60);
    expect(steadyMaximum(60, 60)).toBe(60);
    expect(steadyMaximum(60, 25)).toBe(60);
    expect(steadyMaximum(60, 61)).toBe(90);
    expect(steadyMaximum(60, 24)).toBe(24);
    expect(steadyMaximum(60, 0)).toBe(3);
  });

  it.each([
    [20, 0],
    [0.5, 1],
    [0.05, 2],
    [33.333333, 6],
  ])('are written truly: steps of %d with %i digits', (step, digits) => {
    expect(digitsOf(step)).toBe(digits);
  });
});

describe('the times below a chart', () => {
  it('are round ones that stay where they are while the span moves on', () => {
    const at = (end: number) => hoursOf(roundTimes(end - 15 * MINUTE, end, 3));
    expect(at(clock(21, 5, 37))).toEqual(['20:55', '21:00', '21:05']);
    expect(at(clock(21, 8, 1))).toEqual(['20:55', '21:00', '21:05']);
    expect(at(clock(21, 5))).toEqual(['20:50', '20:55', '21:00', '21:05'].slice(-3));
  });

  it('are hours of the day, or days', () => {
    expect(hoursOf(roundTimes(clock(14, 20) - DAY, clock(14, 20), 4))).toEqual(['18:00', '00:00', '06:00', '12:00']);
    const days = roundTimes(clock(14) - 7 * DAY, clock(14), 4);
    expect(hoursOf(days)).toEqual(days.map(() => '00:00'));
    expect(days.length).toBeGreaterThanOrEqual(3);
    expect(roundTimes(clock(14) - 7 * DAY, clock(14), 3)).toHaveLength(3);
  });

  it('follow the clock of this computer over the nights when it is changed', () => {
    for (const [month, day] of [
      [2, 29],
      [9, 25],
      [2, 8],
      [10, 1],
    ] as const) {
      const noon = new Date(2026, month, day, 12, 30).getTime();
      const hours = roundTimes(noon - DAY, noon, 4).map((at) => new Date(at).getHours());
      expect(hours.every((hour) => hour % 6 === 0)).toBe(true);
    }
  });

  it('are within the span, rising, and never too many', () => {
    const span = fc.integer({ min: 10_000, max: 400 * DAY });
    fc.assert(
      fc.property(
        fc.integer({ min: clock(0), max: clock(23) }),
        span,
        fc.integer({ min: 1, max: 12 }),
        (from, ms, most) => {
          const times = roundTimes(from, from + ms, most);
          expect(times.length).toBeLessThanOrEqual(most);
          expect(times.every((at) => at >= from && at <= from + ms)).toBe(true);
          expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
        },
      ),
    );
    expect(roundTimes(5, 5, 4)).toEqual([]);
  });

  it('have seconds under four minutes, and are days over more than a day and a half', () => {
    expect([3 * MINUTE, 15 * MINUTE, 24 * HOUR, 7 * DAY].map(timeStyle)).toEqual([
      'seconds',
      'minutes',
      'minutes',
      'days',
    ]);
  });

  it('spread over things that are counted, both ends among them', () => {
    expect(spread(30, 5)).toEqual([0, 7, 15, 22, 29]);
    expect(spread(3, 5)).toEqual([0, 1, 2]);
    expect(spread(30, 1)).toEqual([29]);
  });
});

describe('labels', () => {
  it('begin at the left edge, end at the right one, and stand in the middle between', () => {
    const placed = placeLabels(
      [
        { x: 300, text: 'now' },
        { x: 150, text: '21:00' },
        { x: 30, text: '20:50' },
      ],
      30,
      300,
    );
    expect(placed).toEqual([
      { x: 30, text: '20:50', anchor: 'start' },
      { x: 150, text: '21:00', anchor: 'middle' },
      { x: 300, text: 'now', anchor: 'end' },
    ]);
  });

  it('leave out what would run into a more important one', () => {
    const texts = (x: number) =>
      placeLabels(
        [
          { x: 300, text: 'now' },
          { x, text: '21:05' },
        ],
        0,
        300,
      ).map(({ text }) => text);
    expect(texts(285)).toEqual(['now']);
    expect(texts(200)).toEqual(['21:05', 'now']);
  });

  it('are shortened or left out where they do not fit', () => {
    const wordings = ['Paused: you were here', 'Paused'];
    expect(wordingFor(wordings, 200)).toBe('Paused: you were here');
    expect(wordingFor(wordings, textWidth('Paused') + 8)).toBe('Paused');
    expect(wordingFor(wordings, 20)).toBeUndefined();
    expect(wordingFor(['Paused: you were here', undefined], 60)).toBeUndefined();
  });
});

describe('the crosshair', () => {
  it('snaps to the nearest, the earlier of two', () => {
    const places = [10, 20, 40];
    const at = (wanted: number) => nearest(places.length, (index) => places[index] ?? 0, wanted);
    expect([-5, 14, 15, 16, 31, 99].map(at)).toEqual([0, 0, 0, 1, 2, 2]);
    expect(nearest(0, () => 0, 5)).toBe(-1);
  });

  it('finds what a search through all finds', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), fc.integer(), (some, wanted) => {
        const places = some.sort((one, other) => one - other);
        const found = places[nearest(places.length, (index) => places[index] ?? 0, wanted)] ?? Number.NaN;
        expect(Math.abs(found - wanted)).toBe(Math.min(...places.map((place) => Math.abs(place - wanted))));
      }),
    );
  });
});

describe('a line', () => {
  it('has gaps where nothing is known, and a dot for what stands alone', () => {
    expect(linePath([[0, 1.04], [1, 2], null, [3, 4], null, null])).toBe('M0 1L1 2M3 4L3 4');
    expect(linePath([null])).toBe('');
  });

  it('has ground below each of its pieces', () => {
    expect(areaPath([null, [0, 1], [1, 2], null, [3, 4]], 9)).toBe('M0 9L0 1L1 2L1 9Z');
  });
});
