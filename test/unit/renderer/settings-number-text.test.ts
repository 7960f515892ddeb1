import { describe, expect, it } from 'vitest';
import {
  decimalSign,
  numberText,
  plainNumber,
  shown,
  stored,
} from '../../../src-renderer/components/setting-field/number-text.ts';

const MEGABYTE = 1_000_000;
const limits = { min: 1_024, max: 100_000_000_000 };

describe('numbers of settings in the unit that people see', () => {
  it('shows bytes as megabytes and reads them back', () => {
    expect(shown(2_500_000, MEGABYTE)).toBe(2.5);
    expect(stored(2.5, MEGABYTE, limits)).toBe(2_500_000);
  });

  it('saves whole numbers of the kept unit', () => {
    expect(stored(0.0015, MEGABYTE, limits)).toBe(1_500);
    expect(stored(1.1, MEGABYTE, limits)).toBe(1_100_000);
  });

  it('takes nothing as the default', () => {
    expect(stored('', MEGABYTE, limits)).toBeNull();
  });

  it('refuses what lies outside the bounds, and what is no number', () => {
    expect(stored(0.001, MEGABYTE, limits)).toBeUndefined();
    expect(stored(200_000, MEGABYTE, limits)).toBeUndefined();
    expect(stored('-', 1, { min: -1, max: 10 })).toBeUndefined();
  });

  it('refuses a fraction where a whole number is wanted, in the unit that is kept', () => {
    const wanted = { whole: true, min: 0, max: 10_000_000 };
    expect(stored('2.5', 1, wanted)).toBeUndefined();
    expect(stored('2', 1, wanted)).toBe(2);
    expect(stored('2.5', MEGABYTE, wanted)).toBe(2_500_000);
    expect(stored('2.5', 1, { min: 0, max: 10 })).toBe(2.5);
  });

  it('keeps what is no number as it was typed, and never takes it for nothing', () => {
    for (const typed of ['abc', '4 abc', 'MB/s 4', '1.2.3', '1,2,3', '--1', 'Infinity']) {
      expect(stored(plainNumber(typed, 'MB/s'), 1, { min: 1, max: 1_024 })).toBeUndefined();
    }
    for (const typed of ['', '  ', 'MB/s', ' MB/s ']) expect(stored(plainNumber(typed, 'MB/s'), 1, {})).toBeNull();
  });

  it('reads what it shows, in either language', () => {
    for (const language of ['en', 'de']) {
      const text = numberText(2_500_000, MEGABYTE, language);
      expect(text).toBe(language === 'de' ? '2,5' : '2.5');
      for (const typed of [text, `${text} MB/s`]) {
        expect(stored(plainNumber(typed, 'MB/s'), MEGABYTE, limits)).toBe(2_500_000);
      }
    }
    expect(numberText(-1, 1, 'en')).toBe('-1');
    expect(numberText(undefined, 1, 'en')).toBe('');
    expect(stored(plainNumber('−1', undefined), 1, {})).toBe(-1);
    expect(stored(plainNumber('3,5', 'MB/s'), MEGABYTE, limits)).toBe(3_500_000);
  });

  it('accepts the bounds themselves', () => {
    expect(stored(-1, 1, { min: -1, max: 10 })).toBe(-1);
    expect(stored('10', 1, { min: -1, max: 10 })).toBe(10);
  });

  it('knows how a language writes the decimal sign', () => {
    expect(decimalSign('en')).toBe('.');
    expect(decimalSign('de')).toBe(',');
  });
});
