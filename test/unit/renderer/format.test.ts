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
    [2_140, '2.1\u00a0s'],
    [180_000, '3 min'],
    [172_800_000, '2 days'],
  ])('writes %d ms as %s', (ms, written) => {
    expect(english.duration(ms)).toBe(written);
  });

  it('writes power, energy, heat and money', () => {
    expect([english.watts(148.4), english.energy(810), english.energy(15_240)]).toEqual([
      '148\u00a0W',
      '0.81\u00a0kWh',
      '15.2\u00a0kWh',
    ]);
    expect(english.degrees(62.6)).toBe('63\u00a0°C');
    expect([english.money(1.5, 'EUR'), english.money(1.5)]).toEqual(['€1.50', '1.50']);
    expect(new Format('de').money(0.246, 'EUR')).toBe('0,25\u00a0€');
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

describe('amounts of the chain', () => {
  const [english, german] = [new Format('en'), new Format('de')];

  it('have four digits after the point, never rounded up', () => {
    expect(english.tao('12408399999')).toBe('12.4083');
    expect(german.tao('1234500000000')).toBe('1.234,5000');
    expect(english.tao('0')).toBe('0.0000');
  });

  it('have as many as tell something where there is less than that', () => {
    expect(english.tao('124567')).toBe('0.0001');
    expect(english.tao('99999')).toBe('0.0000999');
    expect(english.tao('1')).toBe('0.000000001');
  });

  it('are exact beyond what a number can hold', () => {
    expect(english.tao('9999999999999999')).toBe('9,999,999.9999');
    expect(english.taoExact('18446744073709551615')).toBe('18,446,744,073.709551615');
  });

  it('are short where there cannot be so much', () => {
    expect(english.tao('18446744073709551615')).toBe('18.4B');
    expect(german.taoParts('12000000000000000000')).toEqual({ whole: '12', rest: '\u00a0Mrd.' });
  });

  it('come in two pieces for the eye', () => {
    expect(german.taoParts('12408300000')).toEqual({ whole: '12', rest: ',4083' });
    expect(english.taoParts('500')).toEqual({ whole: '0', rest: '.0000005' });
  });

  it('writes an amount that is confirmed with all its digits, and one for a field without separators', () => {
    expect([english.taoExact('1250000000'), english.taoExact('1234500000001')]).toEqual(['1.25', '1,234.500000001']);
    expect([english.taoTyped('1234500000001'), german.taoTyped('1234500000000')]).toEqual(['1234.500000001', '1234,5']);
  });

  it.each([
    [english, '1.25', '1250000000'],
    [english, ' 2 ', '2000000000'],
    [english, '0.000000001', '1'],
    [english, '1,25', undefined],
    [english, '1,000', undefined],
    [english, '0.0000000001', undefined],
    [english, '-1', undefined],
    [english, '1e3', undefined],
    [english, '', undefined],
    [german, '1,25', '1250000000'],
    [german, '1.25', undefined],
    [german, '1.000', undefined],
    [german, '1.000,5', undefined],
  ])('reads an amount as its language writes it, and nothing that could be meant otherwise', (format, text, rao) => {
    expect(format.readTao(text)).toBe(rao);
  });
});
