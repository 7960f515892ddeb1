import { isIPv4 } from 'node:net';
import { InvalidArgumentError } from 'commander';

/** An option's parser: a whole number in a range, or a sentence that says what is wanted. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^-?\d+$/.test(text.trim()) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`A whole number ${range(min, max)} is wanted.`);
  };
}

/** An option's parser: whole numbers in a range, with commas. */
export function integers(min: number, max: number): (text: string) => number[] {
  const one = integer(min, max);
  return (text) => text.split(',').map(one);
}

/** An option's parser: a number in a range. */
export function number(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`A number ${range(min, max)} is wanted.`);
  };
}

function range(min: number, max: number): string {
  return max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
}

/** Collects a repeatable option into a list. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

/** An option that is an IPv4 address. */
export function ipv4(value: string): string {
  if (!isIPv4(value)) throw new InvalidArgumentError('An IPv4 address such as 192.168.1.20 is wanted.');
  return value;
}
