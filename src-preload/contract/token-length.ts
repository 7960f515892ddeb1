import { LEAST_LENGTH, MOST_LENGTH } from './evaluation-numbers.ts';

const LENGTH = /^(\d+(?:[.,]\d+)?)\s*([km]?)$/i;
const UNITS: Record<string, number> = { '': 1, k: 1_000, m: 1_000_000 };

/** «1k», «1.5M» as tokens; undefined for what is no length that can be asked for. */
export function tokensOf(text: string): number | undefined {
  const [, figure = '', unit = ''] = LENGTH.exec(text.trim()) ?? [];
  const tokens = Math.round(Number(figure.replace(',', '.')) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
  return figure !== '' && tokens >= LEAST_LENGTH && tokens <= MOST_LENGTH ? tokens : undefined;
}

/** 4,000 as «4k». @param point of the language */
export function tokensText(tokens: number, point = '.'): string {
  const written = (value: number, unit: string) => `${String(value).replace('.', point)}${unit}`;
  if (tokens % 100_000 === 0 && tokens >= 1_000_000) return written(tokens / 1_000_000, 'M');
  return tokens % 100 === 0 && tokens >= 1_000 ? written(tokens / 1_000, 'k') : String(tokens);
}
