import { describe, expect, it } from 'vitest';
import { Format } from '../../../src-renderer/i18n/format.ts';

/** Figures and their units are not torn apart at the end of a line: some languages have a space of their own for that. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('Format', () => {
  const english = new Format('en');

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1 kB'],
    [999_600, '1 MB'],
    [999_960_000, '1 GB'],
    [1_200_000, '1.2 MB'],
    [4_680_000_000, '4.7 GB'],
    [2_000_000_000_000, '2 TB'],
    [5_000_000_000_000_000, '5,000 TB'],
  ])('writes %d bytes as %s', (bytes, written) => {
    expect(plain(english.bytes(bytes))).toBe(written);
  });

  it('writes sizes and rates as Germans do', () => {
    expect(plain(new Format('de').bytes(4_680_000_000))).toBe('4,7 GB');
    expect(plain(new Format('de').rate(12_400_000))).toBe('12,4 MB/s');
  });

  it.each([
    [340, '340 ms'],
    [2_140, '2.1 sec'],
    [180_000, '3 min'],
    [172_800_000, '2 days'],
  ])('writes %d ms as %s', (ms, written) => {
    expect(english.duration(ms)).toBe(written);
  });

  it('writes times of day that are as long at noon as at night', () => {
    const evening = new Date(2026, 10, 20, 20, 5, 9).getTime();
    const night = new Date(2026, 10, 20, 0, 5, 9).getTime();
    expect([english.hours(evening), english.clock(evening)]).toEqual(['20:05', '20:05:09']);
    expect([english.hours(night), english.clock(night)]).toEqual(['00:05', '00:05:09']);
    expect(new Format('de').hours(evening)).toBe('20:05');
    expect(english.time(evening)).toMatch(/^Nov 20(, 2026)?, 20:05$/);
  });

  it.each([
    [0, 0, '0'],
    [9_999, 0, '9,999'],
    [12_000, 0, '12K'],
    [0.5, 1, '0.5'],
    [1, 1, '1.0'],
  ])('writes %d with %i digits for little room as %s', (value, digits, written) => {
    expect(english.short(value, digits)).toBe(written);
  });

  it('says how far off a time is', () => {
    expect(english.relative(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1, 0, 5))).toBe('5 minutes ago');
  });
});
