import type { Rule } from './held-rules.ts';
import { type CharRange, charRule, NAMED_CLASSES, PLAIN_CHAR, readClass } from './pattern-chars.ts';
import { literal } from './texts-rule.ts';

/** Places in a pattern, counted as often as they may be repeated. */
const MOST_PLACES = 200;
/** Where something is repeated that repeats itself, there are more ways to be at a place: `((a+)+)+` has as many as levels to the power of letters. */
const WITHIN_ITSELF = 4;
const MOST_CHARS = 1_000;
const MOST_LEVELS = 16;

/** What a part of a pattern is to a grammar. */
interface Part extends Rule {
  /** It may be nothing. llama.cpp takes no repetition of that. */
  empty: boolean;
  /** Something in it is there once or more often. */
  repeats?: boolean;
}

/**
 * The rule of JSON strings that a pattern matches, with their quotes. Letters that JSON writes with a backslash are left out where others would do.
 * @returns undefined for a pattern with something that no grammar can hold (what looks ahead, back, or at words), or that is too large for one
 */
export function patternRule(pattern: string): Rule | undefined {
  if (pattern.length > MOST_CHARS) return undefined;
  const part = new PatternReader(pattern).whole();
  return part && { rule: `"\\"" (${part.rule}) "\\""`, places: part.places };
}

/** Reads regular expressions as ECMAScript has them, with the flag `u`. Each step says undefined where it gives up. */
class PatternReader {
  readonly #chars: readonly string[];
  #at = 0;
  #level = 0;

  constructor(pattern: string) {
    this.#chars = [...pattern];
  }

  whole(): Part | undefined {
    const ways: Part[] = [];
    do {
      const way = this.#unanchored();
      if (!way) return undefined;
      ways.push(way);
    } while (this.#take('|'));
    return this.#at === this.#chars.length ? oneOf(ways) : undefined;
  }

  /** What is not tied to the beginning or the end has anything around it. */
  #unanchored(): Part | undefined {
    const around: Part = { rule: `${PLAIN_CHAR}*`, places: 1, empty: true };
    const before = this.#take('^') ? [] : [around];
    const middle = this.#sequence();
    const behind = this.#take('$') ? [] : [around];
    return middle && inOrder([...before, middle, ...behind]);
  }

  #alternatives(): Part | undefined {
    const ways: Part[] = [];
    do {
      const way = this.#sequence();
      if (!way) return undefined;
      ways.push(way);
    } while (this.#take('|'));
    return oneOf(ways);
  }

  #sequence(): Part | undefined {
    const parts: Part[] = [];
    while (this.#at < this.#chars.length && !['|', ')', '$'].includes(this.#next)) {
      const atom = this.#atom();
      const part = atom && this.#repeated(atom);
      if (!part) return undefined;
      parts.push(part);
    }
    return inOrder(parts);
  }

  #atom(): Part | undefined {
    const char = this.#chars[this.#at++] ?? '';
    if (char === '(') return this.#group();
    if (char === '[') return this.#class();
    if (char === '.') return onePlace(PLAIN_CHAR);
    if (char === '\\') return this.#escape();
    return '^*+?{}]'.includes(char) ? undefined : letter(char);
  }

  #group(): Part | undefined {
    if (this.#level >= MOST_LEVELS) return undefined;
    const rest = this.#chars.slice(this.#at, this.#at + 40).join('');
    const head = /^(?:\?:|\?<\w+>)/.exec(rest)?.[0] ?? '';
    this.#at += head.length;
    if (this.#next === '?') return undefined; // it looks ahead or back
    this.#level++;
    const inside = this.#alternatives();
    this.#level--;
    return this.#take(')') ? inside && { ...inside, rule: `(${inside.rule})` } : undefined;
  }

  #class(): Part | undefined {
    const read = readClass(this.#chars, this.#at);
    if (!read) return undefined;
    this.#at = read.end;
    return ofRanges(read.ranges, read.negated);
  }

  #escape(): Part | undefined {
    const char = this.#chars[this.#at++] ?? '';
    const named = NAMED_CLASSES[char.toLowerCase()];
    if (named) return ofRanges(named, char !== char.toLowerCase());
    return /[A-Za-z0-9]|^$/.test(char) ? undefined : letter(char);
  }

  #repeated(part: Part): Part | undefined {
    const rest = this.#chars.slice(this.#at, this.#at + 20).join('');
    const found = /^(?:([*+?])|\{(\d{1,4})(,?)(\d{0,4})\})\??/.exec(rest);
    if (!found) return part;
    this.#at += found[0].length;
    const [least, most] = timesOf(found);
    const repeats = most !== least && most > 1;
    const places =
      part.places * (most === Infinity ? Math.max(least, 1) : most) * (repeats && part.repeats ? WITHIN_ITSELF : 1);
    if (part.empty || places > MOST_PLACES || most < least) return undefined;
    const times = `{${least},${most === Infinity ? '' : most}}`;
    const rule = most === 0 ? '""' : `${part.rule}${times}`;
    return { rule, places, empty: least === 0, repeats: repeats || part.repeats === true };
  }

  get #next(): string {
    return this.#chars[this.#at] ?? '';
  }

  #take(char: string): boolean {
    if (this.#next !== char) return false;
    this.#at++;
    return true;
  }
}

function timesOf([, sign, least, comma, most]: RegExpExecArray): [number, number] {
  if (sign) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity];
  if (!comma) return [Number(least), Number(least)];
  return [Number(least), most ? Number(most) : Infinity];
}

function onePlace(rule: string): Part {
  return { rule, places: 1, empty: false };
}

function letter(char: string): Part {
  return onePlace(literal(JSON.stringify(char).slice(1, -1)));
}

function ofRanges(ranges: readonly CharRange[], negated: boolean): Part | undefined {
  const rule = charRule(ranges, negated);
  return rule === undefined ? undefined : onePlace(rule);
}

function inOrder(parts: readonly Part[]): Part | undefined {
  const places = parts.reduce((sum, part) => sum + part.places, 0);
  if (places > MOST_PLACES) return undefined;
  const rule = parts.length === 0 ? '""' : parts.map((part) => part.rule).join(' ');
  return { rule, places, empty: parts.every(({ empty }) => empty), repeats: parts.some(({ repeats }) => repeats) };
}

function oneOf(ways: readonly Part[]): Part | undefined {
  const [only, ...more] = ways;
  if (more.length === 0) return only;
  const places = ways.reduce((sum, way) => sum + way.places, 0);
  if (places > MOST_PLACES) return undefined;
  const rule = `(${ways.map((way) => way.rule).join(' | ')})`;
  return { rule, places, empty: ways.some(({ empty }) => empty), repeats: ways.some(({ repeats }) => repeats) };
}
