import type { Rule } from './held-rules.ts';

/** What a schema says of the size of a number. */
export interface NumberLimits {
  minimum?: unknown;
  maximum?: unknown;
  exclusiveMinimum?: unknown;
  exclusiveMaximum?: unknown;
}

/** Digits of a whole number that a grammar lets a model write. */
const MOST_DIGITS = 16;
const LARGEST = 10n ** BigInt(MOST_DIGITS) - 1n;

/** A number of which only the first digit is known may go on in so many ways. */
const PLACES = 10;

const FRACTION = ` ("." [0-9]{1,${MOST_DIGITS}})?`;

/**
 * The rule of numbers within limits. Whole ones keep them all. Of others those limits that are whole numbers are kept, but for the limit itself
 * where it is excluded; about one with a fraction the rule is a little wider.
 * @returns undefined where there are no limits that a rule could keep, `none` where no number is within them
 */
export function numberRule(type: 'integer' | 'number', limits: NumberLimits): Rule | 'none' | undefined {
  const [least, most] = type === 'integer' ? wholeLimits(limits) : roundLimits(limits);
  if (least === -Infinity && most === Infinity) return undefined;
  if (least > most) return 'none';
  const [from, to] = [large(least), large(most)];
  if (from === to && (from === LARGEST || from === -LARGEST)) return undefined;
  return { rule: signed(from, to, type === 'integer' ? wholeRule : fractionRule), places: PLACES };
}

function wholeLimits(limits: NumberLimits): [number, number] {
  const { least, most, above, below } = numbersOf(limits);
  return [Math.max(Math.ceil(least), Math.floor(above) + 1), Math.min(Math.floor(most), Math.ceil(below) - 1)];
}

function roundLimits(limits: NumberLimits): [number, number] {
  const { least, most, above, below } = numbersOf(limits);
  const [low, high] = [Math.max(least, above), Math.min(most, below)];
  return low > high ? [1, 0] : [Math.floor(low), Math.ceil(high)];
}

/** Draft 4 has `exclusiveMinimum: true` beside a minimum. */
function numbersOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: NumberLimits) {
  return {
    least: limit(minimum, -Infinity),
    most: limit(maximum, Infinity),
    above: limit(exclusiveMinimum === true ? minimum : exclusiveMinimum, -Infinity),
    below: limit(exclusiveMaximum === true ? maximum : exclusiveMaximum, Infinity),
  };
}

function limit(value: unknown, none: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : none;
}

function large(value: number): bigint {
  if (Math.abs(value) > Number(LARGEST)) return value > 0 ? LARGEST : -LARGEST;
  return BigInt(value);
}

type Magnitudes = (from: bigint, to: bigint) => string;

function signed(from: bigint, to: bigint, magnitudes: Magnitudes): string {
  const ways: string[] = [];
  if (to >= 0n) ways.push(magnitudes(from > 0n ? from : 0n, to));
  if (from < 0n) ways.push(`"-" (${magnitudes(to < 0n ? -to : 0n, -from)})`);
  return ways.join(' | ');
}

/** The last whole number has no fraction behind it: that would be larger. */
function fractionRule(from: bigint, to: bigint): string {
  if (from === to) return wholeRule(to, to);
  return `(${wholeRule(from, to - 1n)})${FRACTION} | ${wholeRule(to, to)}`;
}

/** Whole numbers that are not negative, from one to another. */
function wholeRule(from: bigint, to: bigint): string {
  const [low, high] = [String(from), String(to)];
  if (low.length === high.length) return sameLength(low, high);
  const ways = [sameLength(low, '9'.repeat(low.length))];
  if (high.length - low.length > 1) ways.push(`[1-9] [0-9]{${low.length},${high.length - 2}}`);
  return [...ways, sameLength(`1${'0'.repeat(high.length - 1)}`, high)].join(' | ');
}

/** Numbers with as many digits as both have. */
function sameLength(low: string, high: string): string {
  if (low === '') return '';
  if (/^0+$/.test(low) && /^9+$/.test(high)) return digits(low.length);
  const [first, last] = [Number(low[0]), Number(high[0])];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (first === last) return `"${first}" ${group(sameLength(lowRest, highRest))}`.trimEnd();
  // What all of its rest may follow stands in the middle.
  const [lowWhole, highWhole] = [/^0*$/.test(lowRest), /^9*$/.test(highRest)];
  const [from, to] = [lowWhole ? first : first + 1, highWhole ? last : last - 1];
  const nines = '9'.repeat(lowRest.length);
  return [
    ...(lowWhole ? [] : [`"${first}" ${group(sameLength(lowRest, nines))}`]),
    ...(from > to ? [] : [`[${from}-${to}] ${digits(lowRest.length)}`.trimEnd()]),
    ...(highWhole ? [] : [`"${last}" ${group(sameLength('0'.repeat(highRest.length), highRest))}`]),
  ].join(' | ');
}

function digits(count: number): string {
  return count === 0 ? '' : `[0-9]{${count}}`;
}

function group(rule: string): string {
  return rule.includes('|') ? `(${rule})` : rule;
}
