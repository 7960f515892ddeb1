import { describe, expect, it } from 'vitest';
import { decimalSign, shown, stored } from '../../../src-renderer/components/setting-field/number-text.ts';

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

  it('accepts the bounds themselves', () => {
    expect(stored(-1, 1, { min: -1, max: 10 })).toBe(-1);
    expect(stored('10', 1, { min: -1, max: 10 })).toBe(10);
  });

  it('knows how a language writes the decimal sign', () => {
    expect(decimalSign('en')).toBe('.');
    expect(decimalSign('de')).toBe(',');
  });
});
