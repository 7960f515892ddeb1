import type { Setting } from '../../../src-preload/contract/settings.ts';

/** A kept number in the unit that people see. */
export function shown(value: number, scale: number): number {
  return Math.round((value / scale) * 1_000) / 1_000;
}

/** The same as text that can be edited: «2,5». Nothing for no number. */
export function numberText(value: unknown, scale: number, language: string): string {
  return typeof value === 'number' ? String(shown(value, scale)).replace('.', decimalSign(language)) : '';
}

/** What was typed, with a point and without the unit, which somebody may have typed too: «2,5 MB/s» as «2.5». What is no number stays as it is. */
export function plainNumber(typed: string, unit: string | undefined): string {
  const text = typed.trim();
  const bare = unit !== undefined && text.endsWith(unit) ? text.slice(0, -unit.length).trim() : text;
  return bare.replace(',', '.').replace('−', '-');
}

/**
 * What was typed, in the unit that is kept.
 *
 * @returns null for nothing, which stands for the default; undefined for what the setting's bounds do not allow
 */
export function stored(
  typed: number | string,
  scale: number,
  { whole, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Pick<Setting, 'whole' | 'min' | 'max'>,
): number | null | undefined {
  if (typed === '') return null;
  if (!Number.isFinite(Number(typed))) return undefined;
  const value = scale === 1 ? Number(typed) : Math.round(Number(typed) * scale);
  if (whole && !Number.isInteger(value)) return undefined;
  return value >= min && value <= max ? value : undefined;
}

/** What stands between 1 and 5 in «1.5». */
export function decimalSign(language: string): string {
  const parts = new Intl.NumberFormat(language).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}
