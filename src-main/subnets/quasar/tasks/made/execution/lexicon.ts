import type { SeededRandom } from '../../../../../validation/seeded-random.ts';

/** What a machine does, each in words that have nothing in common: who looks for the words of one finds none of the others. */
export const MODES: readonly (readonly string[])[] = [
  ['at rest', 'idle', 'doing nothing', 'without work', 'taking a break'],
  ['starting up', 'just switched on', 'getting under way', 'waking from its sleep', 'in its first minutes'],
  ['hard at work', 'busy', 'in full swing', 'under load', 'going flat out'],
  ['winding down', 'about to stop', 'on its last turns', 'easing off', 'slowing to a halt'],
];

/** What is the matter with it, if anything is. */
export const STATES: readonly (readonly string[])[] = [
  ['too hot', 'feverish', 'fit to fry an egg on', 'overheated', 'glowing'],
  ['too cold', 'chilled to the core', 'icy', 'frozen stiff', 'frosted over'],
  ['short of oil', 'badly greased', 'creaking for want of lubrication', 'dry in its bearings', 'unoiled'],
  ['noisy', 'rattling', 'loud enough to wake the street', 'making a racket', 'screeching'],
  ['shaking', 'trembling', 'unsteady', 'wobbling', 'vibrating'],
  ['leaking', 'dripping', 'losing water', 'wet underneath', 'standing in a puddle'],
  ['dusty', 'coated with dirt', 'in want of a good cleaning', 'clogged with fluff', 'grimy'],
  ['short of power', 'starved of current', 'badly fed by the mains', 'weak for lack of voltage', 'lacking electricity'],
  ['smoking', 'giving off fumes', 'wrapped in haze', 'puffing soot', 'sending up grey clouds'],
  ['in perfect order', 'healthy', 'without a fault', 'as good as new', 'free of trouble'],
];

/** A condition of a machine, by its number: one of forty. */
export const CONDITIONS = MODES.length * STATES.length;

/** A condition in words, others each time: `busy, yet dripping`. */
export function conditionInWords(random: SeededRandom, condition: number): string {
  const [mode, state] = [modeInWords(random, condition), stateInWords(random, condition)];
  const [one, other] = random.coin() ? [mode, state] : [state, mode];
  return `${one}${random.pick([' and', ', and also', ' and at the same time', ', and', ' and moreover'])} ${other}`;
}

/** The half of a condition that says what the machine does. */
export const modeInWords = (random: SeededRandom, condition: number): string =>
  random.pick(MODES[Math.floor(condition / STATES.length)] ?? []);
/** The half that says what is the matter with it. */
export const stateInWords = (random: SeededRandom, condition: number): string =>
  random.pick(STATES[condition % STATES.length] ?? []);

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const OTHERWISE: Readonly<Record<number, string>> = {
  12: 'a dozen',
  20: 'a score',
  24: 'two dozen',
  50: 'half a hundred',
};

/** A number from 0 to 199, in digits or in words. */
export function numberInText(random: SeededRandom, number: number): string {
  if (random.below(3) === 0) return String(number);
  return (random.coin() && OTHERWISE[number]) || inWords(number);
}

export function inWords(number: number): string {
  if (number >= 100) return `a hundred${number > 100 ? ` and ${inWords(number - 100)}` : ''}`;
  if (number < 20) return ONES[number] ?? '';
  return `${TENS[Math.floor(number / 10)]}${number % 10 ? `-${ONES[number % 10]}` : ''}`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
