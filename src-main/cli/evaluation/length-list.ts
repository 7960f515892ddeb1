import { InvalidArgumentError } from 'commander';
import { LEAST_LENGTH, MOST_LENGTH } from '../../../src-preload/contract/evaluation.ts';

const LENGTH = /^(\d+(?:\.\d+)?)([km]?)$/i;
const UNITS: Record<string, number> = { '': 1, k: 1_000, m: 1_000_000 };

/** «1k,4k,1.5M» as tokens. @throws InvalidArgumentError for what is none, or out of bounds */
export function lengthsOf(text: string): number[] {
  return text.split(',').map((each) => {
    const [, figure, unit = ''] = LENGTH.exec(each.trim()) ?? [];
    const tokens = Math.round(Number(figure) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
    if (tokens >= LEAST_LENGTH && tokens <= MOST_LENGTH) return tokens;
    throw new InvalidArgumentError(`«${each}» is no length from ${LEAST_LENGTH} to 2M tokens.`);
  });
}

/** 4,000 as «4k». */
export function lengthText(tokens: number): string {
  if (tokens % 100_000 === 0 && tokens >= 1_000_000) return `${tokens / 1_000_000}M`;
  return tokens % 100 === 0 && tokens >= 1_000 ? `${tokens / 1_000}k` : String(tokens);
}
