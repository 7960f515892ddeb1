/** Code points from one to another, both included. */
export type CharRange = readonly [from: number, to: number];

/** What JSON writes with a backslash, and what a model has no reason to write. */
const ESCAPED: readonly CharRange[] = [
  [0x00, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0x7f, 0x7f],
];

/** Any character that stands in a JSON string as it is. */
export const PLAIN_CHAR = bracket(ESCAPED, true);

/** Of `\s` only the space: the others a model would have to write with a backslash. */
export const NAMED_CLASSES: Readonly<Record<string, readonly CharRange[]>> = {
  d: [[0x30, 0x39]],
  w: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  s: [[0x20, 0x20]],
};

/** The rule of one of these characters, or of one that is none of them; undefined where JSON would write each of them with a backslash. */
export function charRule(ranges: readonly CharRange[], negated: boolean): string | undefined {
  if (negated) return bracket([...ranges, ...ESCAPED], true);
  const plain = ESCAPED.reduce((left, hole) => left.flatMap((range) => without(range, hole)), [...ranges]);
  return plain.length > 0 ? bracket(plain, false) : undefined;
}

/**
 * Reads a class of characters: `[…]`.
 * @param at the place behind its opening bracket
 * @returns undefined where it has something else than characters, ranges of them, `\d`, `\w` and `\s`
 */
export function readClass(
  chars: readonly string[],
  at: number,
): { ranges: CharRange[]; negated: boolean; end: number } | undefined {
  const negated = chars[at] === '^';
  const ranges: CharRange[] = [];
  let place = negated ? at + 1 : at;
  while (chars[place] !== ']') {
    const first = readMember(chars, place);
    if (!first) return undefined;
    place += first.length;
    if (chars[place] !== '-' || chars[place + 1] === ']') {
      ranges.push(...first.ranges);
      continue;
    }
    const last = readMember(chars, place + 1);
    const range = last && between(first.ranges, last.ranges);
    if (!range) return undefined;
    ranges.push(range);
    place += 1 + last.length;
  }
  return { ranges, negated, end: place + 1 };
}

function readMember(
  chars: readonly string[],
  at: number,
): { ranges: readonly CharRange[]; length: number } | undefined {
  const char = chars[at];
  if (char === undefined) return undefined;
  if (char !== '\\') return { ranges: [single(char)], length: 1 };
  const escaped = chars[at + 1] ?? '';
  const named = NAMED_CLASSES[escaped];
  if (named) return { ranges: named, length: 2 };
  return /[A-Za-z0-9]|^$/.test(escaped) ? undefined : { ranges: [single(escaped)], length: 2 };
}

function between([first]: readonly CharRange[], [last]: readonly CharRange[]): CharRange | undefined {
  if (!first || !last || first[0] !== first[1] || last[0] !== last[1] || first[0] > last[0]) return undefined;
  return [first[0], last[0]];
}

function single(char: string): CharRange {
  const point = char.codePointAt(0) ?? 0;
  return [point, point];
}

function without([from, to]: CharRange, [low, high]: CharRange): CharRange[] {
  if (high < from || low > to) return [[from, to]];
  const left: CharRange[] = [];
  if (from < low) left.push([from, low - 1]);
  if (to > high) left.push([high + 1, to]);
  return left;
}

function bracket(ranges: readonly CharRange[], negated: boolean): string {
  const inside = ranges.map(([from, to]) => (from === to ? point(from) : `${point(from)}-${point(to)}`));
  return `[${negated ? '^' : ''}${inside.join('')}]`;
}

/** Letters and digits as they are, all else by number: GBNF has signs of its own. */
function point(code: number): string {
  const char = String.fromCodePoint(code);
  return /[A-Za-z0-9]/.test(char) ? char : `\\U${code.toString(16).padStart(8, '0')}`;
}
