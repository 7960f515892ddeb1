import { InvalidArgumentError } from 'commander';

const PERCENT = /^(\d{1,3}(?:\.\d{1,2})?)\s?%?$/;

/** An option's parser: a percentage, as `0.5%` or `0.5`, from 0 to 100 with two decimals at most. */
export function percent(text: string): number {
  const value = Number(PERCENT.exec(text.trim())?.[1] ?? Number.NaN);
  if (value <= 100) return value;
  throw new InvalidArgumentError('A percentage from 0 to 100 is wanted, as 0.5% or 0.5.');
}
