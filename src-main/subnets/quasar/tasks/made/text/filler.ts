import data from '../../../../../../resources/quasar/filler.json' with { type: 'json' };
import type { Steps } from '../../../../../base/steps.ts';
import type { SeededRandom } from '../../../../../validation/seeded-random.ts';

/** A sentence of a text, or what is left of it where the text was cut. */
export interface Sentence {
  text: string;
  words: number;
  /** It begins a paragraph. */
  opens: boolean;
}

/** A text, and what may stand in each of its gaps. */
interface Pattern {
  /** One more than there are slots. */
  texts: readonly string[];
  slots: readonly Slot[];
  /** It begins with something of the kind of {@link LEADS}. */
  isLed: boolean;
}

interface Slot {
  words: readonly string[];
  /** The slot before it whose word must not come up again: that of `{plant}` for `{plant2}`. */
  unlike: number;
}

type Words = Readonly<Record<string, readonly string[] | undefined>>;

const SUBJECTS = data.subjects.map(({ sentences, words }) =>
  sentences.map((sentence) => patternOf(sentence, { ...data.words, ...words })),
);
/** What can be put before a sentence that has no such beginning of its own. */
const LEADS = data.words.lead;

/**
 * Plain prose about nothing in particular, without an end: paragraphs of four to seven sentences, each about one subject. It has no digits and no names, so
 * that nothing in it is mistaken for what a task hides. Takes a few draws a sentence.
 */
export function* fillerSentences(random: SeededRandom): Generator<Sentence, never> {
  for (;;) {
    const patterns = random.sample(random.pick(SUBJECTS), random.between(4, 7));
    for (const [at, pattern] of patterns.entries()) {
      const text = sentenceOf(random, pattern);
      yield { text, words: wordsOf(text), opens: at === 0 };
    }
  }
}

/** Sentences that are made in one step. */
const AT_A_TIME = 64;

/** The first words of {@link fillerSentences}, exactly so many: the last sentence is cut at a word. More words go on from the same draws. */
export function* fillerWords(random: SeededRandom, words: number): Steps<Sentence[]> {
  const taken: Sentence[] = [];
  let left = words;
  for (const sentence of fillerSentences(random)) {
    if (left <= 0) break;
    taken.push(sentence.words <= left ? sentence : cut(sentence, left));
    left -= sentence.words;
    if (taken.length % AT_A_TIME === 0) yield;
  }
  return taken;
}

/** How many words a text has: whatever stands between spaces. */
export function wordsOf(text: string): number {
  let words = 1;
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) words++;
  return words;
}

const cut = (sentence: Sentence, words: number): Sentence => ({
  ...sentence,
  text: sentence.text.split(' ').slice(0, words).join(' '),
  words,
});

function sentenceOf(random: SeededRandom, { texts, slots, isLed }: Pattern): string {
  const lead = !isLed && random.coin() ? `${random.pick(LEADS)} ` : '';
  const drawn: string[] = [];
  for (const { words, unlike } of slots) {
    let word = random.pick(words);
    while (word === drawn[unlike]) word = random.pick(words);
    drawn.push(word);
  }
  const sentence = texts.map((text, at) => text + (drawn[at] ?? '')).join('');
  const all = lead + sentence;
  return all.charAt(0).toUpperCase() + all.slice(1);
}

/** A pattern as the data have it, `The {plant} came up late.`, taken apart once. */
function patternOf(sentence: string, words: Words): Pattern {
  const parts = (sentence.charAt(0).toLowerCase() + sentence.slice(1)).split(/\{(\w+)\}/);
  const names = parts.filter((_, at) => at % 2 === 1);
  const texts = parts.filter((_, at) => at % 2 === 0);
  return { texts, slots: names.map((name) => slotOf(name, names, words)), isLed: sentence.startsWith('{when}, ') };
}

function slotOf(name: string, names: readonly string[], words: Words): Slot {
  const other = name.replace(/2$/, '');
  const list = words[name] ?? words[other];
  if (!list) throw new RangeError(`filler.json has no words for ${name}`);
  return { words: list, unlike: other === name ? -1 : names.indexOf(other) };
}
