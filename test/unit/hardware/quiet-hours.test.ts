import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isQuiet, minuteOfDay, parseQuietHours } from '../../../src-main/hardware/quiet-hours.ts';

describe('parseQuietHours', () => {
  it.each([
    ['22:00-07:00', { from: 1_320, until: 420 }],
    ['09:30-17:05', { from: 570, until: 1_025 }],
    ['00:00-23:59', { from: 0, until: 1_439 }],
  ])('reads %s', (text, span) => {
    expect(parseQuietHours(text)).toEqual(span);
  });

  it.each(['22-7', '24:00-07:00', '22:60-07:00', '22:00', '22:00 - 07:00', '07:00-07:00', ''])(
    'refuses «%s»',
    (text) => {
      expect(parseQuietHours(text)).toBeUndefined();
    },
  );
});

describe('isQuiet', () => {
  const night = { from: 22 * 60, until: 7 * 60 };

  it.each([
    [21 * 60 + 59, false],
    [22 * 60, true],
    [0, true],
    [6 * 60 + 59, true],
    [7 * 60, false],
  ])('minute %i of a night across midnight: %s', (minute, quiet) => {
    expect(isQuiet(minute, night)).toBe(quiet);
  });

  it('and the opposite span divide the day between them', () => {
    const minute = fc.nat(1_439);
    fc.assert(
      fc.property(minute, minute, minute, (from, until, now) => {
        fc.pre(from !== until);
        expect(isQuiet(now, { from, until })).not.toBe(isQuiet(now, { from: until, until: from }));
      }),
    );
  });
});

describe('minuteOfDay', () => {
  it('goes by local time', () => {
    expect(minuteOfDay(new Date(2_026, 0, 5, 22, 30).getTime())).toBe(22 * 60 + 30);
  });
});
