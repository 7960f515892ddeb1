import type { Found } from './found.ts';
import { sentenceCount, wordCount } from './sentences.ts';

const NUMBERS: Record<string, number> = {
  ...{ a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{
    ein: 1,
    eine: 1,
    einen: 1,
    einem: 1,
    zwei: 2,
    drei: 3,
    vier: 4,
    fünf: 5,
    sechs: 6,
    sieben: 7,
    acht: 8,
    neun: 9,
    zehn: 10,
  },
};
const NUMBER = String.raw`(\d{1,5}|${Object.keys(NUMBERS).join('|')})`;
const UNIT = `(sentences?|s[äa]tze[ns]?|satz|words?|w[öo]rter[n]?|worte[n]?|characters?|zeichen)`;
const BELOW = new RegExp(
  String.raw`\b(?:under|less than|fewer than|below|shorter than|unter|weniger als|kürzer als) ${NUMBER} ${UNIT}`,
  'iu',
);
const ABOVE = new RegExp(String.raw`(?<!\p{L})(?:more than|over|mehr als|über) ${NUMBER} ${UNIT}`, 'iu');
const AT_LEAST = new RegExp(String.raw`\b(?:at least|minimum(?: of)?|mindestens|wenigstens) ${NUMBER} ${UNIT}`, 'iu');
const AT_MOST = new RegExp(
  String.raw`\b(?:(?:in |at |with )?(?:at most|no more than|not more than|max\.?|maximum(?: of)?|up to|only|just)|höchstens|maximal|bis zu|nur|nicht mehr als|in|within|with|use) ${NUMBER} ${UNIT}`,
  'iu',
);
const EXACTLY = new RegExp(String.raw`\b(?:exactly|precisely|genau) ${NUMBER} ${UNIT}`, 'iu');

const SHORTER =
  /\b(?:short(?:er)?|concise(?:r|ly)?|brief(?:er|ly)?|succinct(?:ly)?|terse|less verbose|too long|too wordy|to the point|kürzer|kurz|knapp(?:er)?|prägnant(?:er)?|zu lang|auf den punkt|bündig(?:er)?)\b/iu;
const LONGER =
  /\b(?:longer|more detail(?:s|ed)?|elaborate|in depth|too short|länger|ausführlich(?:er)?|mehr details?|zu kurz|genauer erkl\p{L}{1,6})\b/iu;

/** What a feedback says of lengths. @param answer that it was said of */
export function lengthWish(text: string, answer: string | undefined): Found | undefined {
  const exact = counted(text, EXACTLY);
  if (exact) return { wish: { kind: 'length', unit: exact.unit, least: exact.count, most: exact.count } };
  const least = counted(text, AT_LEAST) ?? more(counted(text, ABOVE), 1);
  if (least) return { wish: { kind: 'length', unit: least.unit, least: least.count } };
  const most = more(counted(text, BELOW), -1) ?? counted(text, AT_MOST);
  if (most) return { wish: { kind: 'length', unit: most.unit, most: Math.max(1, most.count) } };
  if (SHORTER.test(text) && !/\b(?:not|nicht) so (?:short|kurz)\b|\btoo short\b|\bzu kurz\b/iu.test(text))
    return shorter(answer);
  return LONGER.test(text) ? longer(answer) : undefined;
}

/** At most three sentences; where the answer had no more than that, fewer than it had. */
function shorter(answer: string | undefined): Found {
  const had = answer === undefined ? Number.POSITIVE_INFINITY : sentenceCount(answer);
  const most = Math.max(1, Math.min(3, had - 1));
  return { wish: { kind: 'length', unit: 'sentences', most } };
}

function longer(answer: string | undefined): Found {
  const had = answer === undefined ? 0 : wordCount(answer);
  return {
    wish: { kind: 'length', unit: 'words', least: Math.max(40, Math.min(300, Math.ceil(1.3 * had))) },
  };
}

function counted(text: string, pattern: RegExp) {
  const [, number = '', unit = ''] = pattern.exec(text) ?? [];
  const count = NUMBERS[number.toLowerCase()] ?? Number(number);
  return number === '' ? undefined : { count: Math.max(1, count), unit: unitOf(unit.toLowerCase()) };
}

function more<Counted extends { count: number }>(found: Counted | undefined, by: number): Counted | undefined {
  return found && { ...found, count: Math.max(1, found.count + by) };
}

function unitOf(word: string): 'sentences' | 'words' | 'characters' {
  if (word.startsWith('w')) return 'words';
  return word.startsWith('c') || word === 'zeichen' ? 'characters' : 'sentences';
}
