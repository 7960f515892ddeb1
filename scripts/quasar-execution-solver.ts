import { pathToFileURL } from 'node:url';
import { execution } from '../src-main/subnets/quasar/tasks/made/execution/execution.ts';
import { inWords, MODES, STATES } from '../src-main/subnets/quasar/tasks/made/execution/lexicon.ts';
import { SeededRandom } from '../src-main/validation/seeded-random.ts';

/**
 * How far patterns get with QUASAR's execution tasks: `node scripts/quasar-execution-solver.ts [tasks]` says what share they solve. It is an honest try. It is told every
 * word for every condition, how numbers are written, and what each kind of sentence looks like by its key words; it follows what one condition refers to another
 * for. What it does not have is the generator's grammar turned round: whoever writes that, a parser for each phrasing, solves them all, as of any text that rules have made.
 */
const NUMBERS = new Map<string, number>(
  Array.from({ length: 200 }, (_, number) => [inWords(number), number] as [string, number]).concat([
    ['a dozen', 12],
    ['a score', 20],
    ['two dozen', 24],
    ['half a hundred', 50],
  ] as [string, number][]),
);
const WORDS = [...NUMBERS.keys()].sort((a, b) => b.length - a.length).join('|');
const NUMBER = new RegExp(`\\b(?:\\d+|${WORDS})\\b`, 'gi');
const N = `(\\d+|${WORDS})`;

const numberOf = (text: string): number => NUMBERS.get(text.toLowerCase()) ?? Number(text);
/** Numbers of a text, without the `one` that stands for a thing: `the lower one`, `one that is`. */
const numbersIn = (text: string): number[] =>
  [...text.replace(THING, ' ').matchAll(NUMBER)].map(([found]) => numberOf(found));
const THING =
  /\b(?:(?:the|first|second|middle|other|lower|upper|last|which|same|opposite|no) one\b|one (?:that|named|thought|it|of|dial)\b|one’s)/gi;

/** A part of a text that names a condition. */
interface Mention {
  condition: number;
  from: number;
  to: number;
  /** Another one is told to have what this one has. */
  isReferredTo: boolean;
}

const phrase = (phrases: readonly (readonly string[])[]) =>
  phrases
    .flat()
    .sort((a, b) => b.length - a.length)
    .join('|');
const [MODE, STATE] = [phrase(MODES), phrase(STATES)];
const CONDITION = new RegExp(
  `\\b(?:(${MODE})|(${STATE}))(?:, and also|, and| and moreover| and at the same time| and) (?:(${MODE})|(${STATE}))(?![\\w-])`,
  'gi',
);

function mentionsIn(text: string): Mention[] {
  return [...text.matchAll(CONDITION)].flatMap((match) => {
    const [mode = '', state = ''] = [match[1] ?? match[3], match[2] ?? match[4]].map((part) => part?.toLowerCase());
    const place = (lists: readonly (readonly string[])[], word: string) =>
      lists.findIndex((list) => list.includes(word));
    const [row, column] = [place(MODES, mode), place(STATES, state)];
    if (row < 0 || column < 0) return [];
    const isReferredTo = /(?:given to|number of|stands for|share of) [a-z ]+$/.test(text.slice(0, match.index));
    return [
      { condition: row * STATES.length + column, from: match.index, to: match.index + match[0].length, isReferredTo },
    ];
  });
}

/** What is read out of a text in front of a question. */
export function solve(prompt: string): number | undefined {
  const name = /What is the result of (\w+)\?/.exec(prompt)?.[1];
  const text = prompt.slice(0, prompt.lastIndexOf('That was the text.'));
  if (!name) return undefined;
  const sentences = text.split(/(?<=[.?!)]) |\n\n/);
  const alias = partner(sentences, name, ALIAS);
  const served = partner(sentences, name, /calc_\d{3}/g);
  const serves = served && successor(sentences, served);
  if (!alias || !serves) return undefined;
  const report = reportOf(sentences, alias);
  const x = report?.[dialOf(text, serves)];
  if (!report || x === undefined) return undefined;
  const clauses = text.split(/(?<=[.:?!)]) |\n\n/);
  const books = {
    factor: new Book(clauses, 'factor', sentences),
    supplement: new Book(clauses, 'supplement', sentences),
  };
  const [a, b] = [books.factor.find(report.condition), books.supplement.find(report.condition)];
  return a === undefined || b === undefined ? undefined : x * a + b;
}

/** What a name goes with: by turns or crosswise where words say so, else the nearest. */
function partner(sentences: readonly string[], name: string, kind: RegExp): string | undefined {
  const told = sentences.findIndex((sentence) => sentence.includes(name) && sentence.search(kind) >= 0);
  const at = told >= 0 ? told : sentences.findIndex((sentence) => sentence.includes(name));
  const near = [told >= 0 ? '' : sentences[at - 1], sentences[at], sentences[at + 1]].join(' ');
  const found = [...near.matchAll(kind)].slice(0, 2);
  const names = [...near.replace(ALIAS, ' ').matchAll(/\b[A-Z][a-z]{5,}\b/g)].map(([each]) => each);
  const turn = [...new Set(names.filter((each) => !STARTERS.test(each)))].slice(0, 2).indexOf(name);
  if (/by mistake|took .* for/.test(near)) return found[/took/.test(near) === (turn === 0) ? 1 : 0]?.[0];
  if (/other way round|begins with the last|the second is|exchanged/.test(near)) return found[1 - turn]?.[0];
  if (/respectively|in this order|former|so it is/.test(near)) return found[turn]?.[0];
  const place = near.indexOf(name);
  return found.sort((a, b) => Math.abs(a.index - place) - Math.abs(b.index - place))[0]?.[0];
}

/** The function that took another one's place: by turns where both of a pair stand before both of another, else the nearest. */
function successor(sentences: readonly string[], served: string): string | undefined {
  const WORDS =
    /out of use|retired|heir|replaces|wherever|read calc|given up|become|successor|stepped in|work of|does what/i;
  const at = sentences.findIndex((sentence) => sentence.includes(served) && WORDS.test(sentence));
  const sentence = sentences[at] ?? '';
  const near = `${sentence} ${sentences[at + 1]}`;
  const all = [...near.matchAll(/calc_\d{3}/g)];
  const turn = all.findIndex(([each]) => each === served);
  if (/in this order|respectively/i.test(near)) return all[turn + 2]?.[0];
  if (/the latter replaces/.test(near)) return all[turn === 2 ? 1 : 0]?.[0];
  if (/stepped in for/.test(near)) return all[turn === 1 ? 2 : 0]?.[0];
  if (/given up/.test(near)) return all[turn === 1 ? 2 : 3]?.[0];
  if (/does what/.test(sentence)) return all[turn - 1]?.[0];
  return all[turn + 1]?.[0];
}

const STARTERS = /^(?:Nobody|Whoever|Someone|Respectively)$/;

/** The dial that is named first behind a function; the opposite one where it is ignored. */
function dialOf(text: string, serves: string): 'upper' | 'lower' {
  const broken = new RegExp(`broken (upper|lower) dial would mislead ${serves}`).exec(text)?.[1];
  if (broken) return broken === 'upper' ? 'upper' : 'lower';
  for (const { index } of text.matchAll(new RegExp(serves, 'g'))) {
    const behind = text.slice(index, index + 160);
    const named = /\b(upper|lower)\b/.exec(behind)?.[1];
    if (!named) continue;
    const isIgnored = /^\S+ (?:ignores|has never looked at|would do just as well if) the/.test(behind);
    return (named === 'upper') !== isIgnored ? 'upper' : 'lower';
  }
  return 'upper';
}

interface Report {
  condition: number;
  upper: number | undefined;
  lower: number | undefined;
}

const ALIAS = /\b[Tt]he [A-Z]\w+ [A-Z]\w+/g;
const REPORTED = /week ago|last report on|no longer|night shift|at noon|had been|nobody doubts|out of date|by now/i;
const LATEST =
  /since this morning it has been|later, saw that it was|\. It is|last report on .*? found it|looked at [^:]*:|, it was|nobody doubts that .*? is|by now .*? is/i;

/** The condition that stands behind words for what came last, with the dials behind it; what it refers to another system for is looked up there. */
function reportOf(sentences: readonly string[], alias: string, depth = 7): Report | undefined {
  const isAbout = (at: number) => {
    const near = `${/^By now/.test(sentences[at] ?? '') ? sentences[at - 1] : ''} ${sentences.slice(at, at + 4).join(' ')}`;
    return (
      REPORTED.test(near) &&
      !/^(?:Take the newest|Above, it was|Below, it was|Had) /.test(sentences[at] ?? '') &&
      mentionsIn(near).length > 0 &&
      (near.match(ALIAS)?.[0].endsWith(alias.slice(4)) ?? false)
    );
  };
  const at = sentences.findIndex((sentence, place) => sentence.includes(alias.slice(4)) && isAbout(place));
  if (at < 0 || depth === 0) return undefined;
  const near = sentences.slice(at, at + 5).join(' ');
  const cue = LATEST.exec(near);
  const behind = near.slice(cue ? cue.index + cue[0].length : 0);
  const clause = /^.*?\.(?= )/.exec(behind)?.[0] ?? behind;
  const look = (other: string | undefined) => (other ? reportOf(sentences, other, depth - 1) : undefined);
  const condition = conditionIn(clause, look(clause.match(ALIAS)?.[0]));
  const dials = behind.slice(clause.length);
  const other = /^[^.]*\.[^.]*\./.exec(dials)?.[0].match(ALIAS)?.[0];
  if (condition === undefined) return undefined;
  return { condition, ...(other ? dialsFrom(dials, look(other)) : dialsIn(dials)) };
}

/** A condition in words, or that of another report with what is said to be different. */
function conditionIn(clause: string, like: Report | undefined): number | undefined {
  if (!like) return mentionsIn(clause)[0]?.condition;
  const half = (lists: readonly (readonly string[])[]) =>
    lists.findIndex((list) => list.some((words) => new RegExp(`\\b${words}\\b`, 'i').test(clause)));
  const [mode, state] = [half(MODES), half(STATES)];
  const [otherMode, otherState] = [Math.floor(like.condition / STATES.length), like.condition % STATES.length];
  return (mode < 0 ? otherMode : mode) * STATES.length + (state < 0 ? otherState : state);
}

/** The dial that is told by another system's, and the one that is told by itself. */
function dialsFrom(text: string, other: Report | undefined): Pick<Report, 'upper' | 'lower'> {
  const [one, two] = numbersIn(text);
  const isTurned = /^\s*(?:Take the newest|Had) /.test(text); // the distance comes first
  const [itself, gap] = isTurned ? [two, one] : [one, two];
  const named = /the (upper|lower) one|^[^.]*\. (Above|Below)|reading of the (upper|lower)|on its (upper|lower)/.exec(
    text,
  );
  const dial = /upper|above/i.test(named?.slice(1).join('') ?? '') ? 'upper' : 'lower';
  const sign = /\d less|[a-z] less than|, less|lower;|less on/.test(text) ? -1 : 1;
  const base = other?.[dial];
  const far = base === undefined || gap === undefined ? undefined : base + sign * gap;
  return dial === 'upper' ? { upper: far, lower: itself } : { lower: far, upper: itself };
}

function dialsIn(text: string): { upper: number | undefined; lower: number | undefined } {
  const both = (pattern: string) => new RegExp(pattern, 'i').exec(text)?.slice(1) ?? [];
  const [shared] = both(`both dials showed ${N}`);
  if (shared) return { upper: numberOf(shared), lower: numberOf(shared) };
  const [high, gap, more] = both(`upper dial showed ${N}, the other one ${N} (more|less)`);
  if (high && gap) return { upper: numberOf(high), lower: numberOf(high) + (more === 'more' ? 1 : -1) * numberOf(gap) };
  const [low, off, higher] = both(
    `^ *(?:Below, the dial stood at|It was) ${N}.*?(?:stood|had) ${N} (lower|higher|less|more)`,
  );
  const up = higher === 'higher' || higher === 'more' ? 1 : -1;
  if (low && off) return { lower: numberOf(low), upper: numberOf(low) + up * numberOf(off) };
  const [first, second] = both(`read ${N} and ${N}, beginning with the upper`);
  if (first && second) return { upper: numberOf(first), lower: numberOf(second) };
  const [one, other] = both(`one dial read ${N} and the other ${N}; the latter is the upper`);
  if (one && other) return { upper: numberOf(other), lower: numberOf(one) };
  const [sum, part] = both(`made ${N} together, ${N} of it on the upper`);
  if (sum && part) return { upper: numberOf(part), lower: numberOf(sum) - numberOf(part) };
  const [most, least, which] = both(`of ${N} and ${N}, the (greater|smaller) was seen above`);
  const [a, b] = [numberOf(most ?? ''), numberOf(least ?? '')];
  if (most && least) return which === 'greater' ? { upper: a, lower: b } : { upper: b, lower: a };
  const [upper, lower] = numbersIn(text);
  return { upper, lower };
}

const HEADINGS = {
  factor: /multipl|how many times|about factors|times are meant|for the product/i,
  supplement: /\badding|on top of|supplements\.|put on in the end|addition alone|what is added is|surcharge/i,
};

/** What the sentences of one table say. */
class Book {
  readonly #said: string[] = [];

  readonly #all: readonly string[];

  constructor(sentences: readonly string[], table: keyof typeof HEADINGS, all: readonly string[]) {
    this.#all = all;
    const other = table === 'factor' ? 'supplement' : 'factor';
    let isOpen = false;
    for (const sentence of sentences) {
      const isHeading = mentionsIn(sentence).length === 0;
      if (isHeading && HEADINGS[table].test(sentence)) isOpen = true;
      else if (isHeading && HEADINGS[other].test(sentence)) isOpen = false;
      else if (isOpen) this.#said.push(sentence);
    }
  }

  /** @param depth how many times one condition may be looked up for another */
  find(condition: number, depth = 6): number | undefined {
    if (depth === 0) return undefined;
    for (const [at, sentence] of this.#said.entries()) {
      const mentions = mentionsIn(sentence);
      const turn = mentions.filter((each) => !each.isReferredTo).findIndex((each) => each.condition === condition);
      if (turn < 0) continue;
      const value = this.#read(sentence, this.#behind(at, mentions), turn, depth);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The sentence that goes on about a condition: the next one, or that which says how many it is about. */
  #behind(at: number, mentions: readonly Mention[]): string {
    const own = mentions.filter(({ isReferredTo }) => !isReferredTo).length;
    const group = [/by itself:|stands alone:/, /pair:|two that were/, /of three:|there are three:/][own - 1];
    const near = this.#said.slice(at + 1, at + 8);
    const told = near.findIndex((sentence) => group?.test(sentence));
    return near[told >= 0 ? told + 1 : 0] ?? '';
  }

  #read(sentence: string, next: string, turn: number, depth: number): number | undefined {
    const both = mentionsIn(next).some((each) => !each.isReferredTo) ? sentence : `${sentence} ${next}`;
    const seen = /(?:in which|is as|like) (the [A-Z]\w+ [A-Z]\w+)/.exec(both)?.[1];
    const report = seen && reportOf(this.#all, seen);
    if (report) return this.#follow(both, report.condition, depth);
    const other = mentionsIn(both).find(({ isReferredTo }) => isReferredTo);
    if (other) return this.#follow(both, other.condition, depth);
    const own = mentionsIn(sentence).length;
    if (own === 3) return listed(sentence, both, turn);
    if (own === 2) return paired(both, turn);
    const [, now] =
      /not .* that .* but (.+?)\./.exec(both) ?? /(?:and|so) (\S+(?: \S+)?) was (?:written|settled)/.exec(both) ?? [];
    return numbersIn(now ?? '')[0] ?? numbersIn(both)[0];
  }

  #follow(text: string, condition: number, depth: number): number | undefined {
    const other = this.find(condition, depth - 1);
    if (other === undefined) return undefined;
    const factor = /\b(?:twice|double)\b/i.test(text) ? 2 : /\bthree times\b/i.test(text) ? 3 : 1;
    const [, far, size] = new RegExp(`They are ${N} apart, and the (greater|smaller)`).exec(text) ?? [];
    if (far) return other + (size === 'smaller' ? numberOf(far) : -numberOf(far));
    const [, number, more = ''] = new RegExp(`\\b${N} (more than|above|less than|short of)`, 'i').exec(text) ?? [];
    const plus = number ? numberOf(number) : 0;
    return other * factor + (/less|short/.test(more) ? -plus : plus);
  }
}

/** Three numbers for three conditions: by an order, or by who has the greatest and the least. */
function listed(sentence: string, both: string, turn: number): number | undefined {
  const numbers = numbersIn(both).slice(0, 3);
  const ordinal = ['first', 'second', 'third'][turn] ?? '';
  const ranked = new RegExp(`${ordinal} (?:of these machines )?has the (most|least|smallest|greatest)`).exec(both)?.[1];
  const sorted = numbers.toSorted((a, b) => a - b);
  const isRanked = /shared out|in no order|nothing has more|has more than/i.test(both);
  if (/nothing has more/i.test(both)) return sorted[[2, 0, 1][turn] ?? 0];
  if (/has more than/i.test(both)) return sorted[[1, 0, 2][turn] ?? 0];
  if (isRanked) {
    const greatest = new RegExp(`the ${ordinal} the greatest`).test(both) || ranked === 'most' || ranked === 'greatest';
    const least = new RegExp(`the ${ordinal} has the (?:least|smallest)`).test(both);
    return sorted[greatest ? 2 : least ? 0 : 1];
  }
  if (/last to the first|backwards|Starting at the end|The last of them/.test(both)) return numbers[2 - turn];
  if (/The middle one/.test(both)) return numbers[[1, 0, 2][turn] ?? 0];
  if (/first two/.test(both)) return numbersIn(both.slice(sentence.length)).slice(-3)[[1, 0, 2][turn] ?? 0];
  return numbers[turn];
}

/** Two numbers for two conditions: a sum and the second, or the first and how far the second is from it. */
function paired(both: string, turn: number): number | undefined {
  const [one, other] = numbersIn(both);
  if (one === undefined || other === undefined) return one;
  if (/between them|Put together|to be divided|all of/i.test(both)) return turn === 1 ? other : one - other;
  if (/remainder/.test(both)) return turn === 0 ? other : one - other;
  const isTurned = /second of these has|compared with|^(?:Take|Add) /i.test(both); // the distance is told first
  const [first, by] = isTurned ? [other, one] : [one, other];
  const isSecond = /^(?:Take|Add) |would have/.test(both) ? turn === 0 : turn === 1;
  return isSecond ? first + (/\bless\b|^Add/.test(both) ? -by : by) : first;
}

/** Of so many tasks, how many it solves. */
export function solved(tasks: number): number {
  const all = Array.from({ length: tasks }, (_, seed) => {
    const [task] = execution.make(new SeededRandom(`solver ${seed}`), '', execution.leastWords);
    return task && String(solve(task.prompt)) === task.expected[0];
  });
  return all.filter(Boolean).length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const tasks = Number(process.argv[2] ?? 200);
  console.log(`${solved(tasks)} of ${tasks} solved`);
}
