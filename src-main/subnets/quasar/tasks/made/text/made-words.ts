import type { SeededRandom } from '../../../../../validation/seeded-random.ts';

const ONSETS = 'b br d dr f g gr h j k kr l m n p pr r s st t tr v w z'.split(' ');
const VOWELS = 'a e i o u'.split(' ');
const ENDINGS = 'bek dal dorn fel gan harn kesh lin lom mar mon nar nesk pel rin sel tan tor ven wick'.split(' ');

/** A name that nobody has: `Stavodorn`. One of 288,000. */
export function madeName(random: SeededRandom): string {
  const syllables = [1, 2].map(() => random.pick(ONSETS) + random.pick(VOWELS)).join('');
  const name = syllables + random.pick(ENDINGS);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Somebody’s name, one of 80 milliards: `Stavodorn Brukimar`. */
export const madePerson = (random: SeededRandom): string => `${madeName(random)} ${madeName(random)}`;

/** Six digits, the first of them no zero. */
export const sixDigits = (random: SeededRandom): string => String(random.between(100_000, 999_999));

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** A day of the 19th, 20th or 21st century as it is written in a text: `14 March 1873`; and in the other ways in which an answer may have it. */
export function madeDate(random: SeededRandom): { text: string; others: string[] } {
  const [day, month, year] = [random.between(1, 28), random.below(12), random.between(1800, 2023)];
  const name = MONTHS[month];
  const number = String(month + 1).padStart(2, '0');
  return {
    text: `${day} ${name} ${year}`,
    others: [`${name} ${day}, ${year}`, `${ordinal(day)} ${name} ${year}`, `${ordinal(day)} of ${name} ${year}`]
      .concat(`${name} ${ordinal(day)}, ${year}`)
      .concat(`${year}-${number}-${String(day).padStart(2, '0')}`),
  };
}

function ordinal(day: number): string {
  const ending = { 1: 'st', 2: 'nd', 3: 'rd' }[day % 10] ?? 'th';
  return `${day}${day > 10 && day < 14 ? 'th' : ending}`;
}

export const THINGS =
  'anchor apron arrow barrel bell blanket bottle broom button candle carpet chestnut compass cradle curtain drum eagle feather flute fox glove hammer harp hazel heron kettle ladder lantern lizard mirror needle otter parcel pebble pillow ribbon saddle sail shovel spoon thimble tunnel turnip umbrella violin walnut whistle zebra'.split(
    ' ',
  );
export const QUALITIES =
  'amber bitter borrowed brave broken clumsy copper crimson crooked drowsy empty faded frozen gentle hollow hungry idle jealous lonely muddy nervous noisy polite restless rusty silent stubborn timid velvet wandering weary yellow'.split(
    ' ',
  );
const DEEDS = 'bury carry chase follow forgive greet hide lend measure mend paint polish praise sell trust weigh'.split(
  ' ',
);

/** Three words that open a door: `otter ladder amber`. One of 117,000. */
export const watchword = (random: SeededRandom): string => random.sample(THINGS, 3).join(' ');

/** What nobody ever said: `Never lend a copper lantern to a patient heron`. One of millions. */
export function madeSaying(random: SeededRandom): string {
  const [first, second] = random.sample(THINGS, 2);
  const [one, other] = random.sample(QUALITIES, 2);
  const when = random.pick(['before', 'instead of', 'because of', 'in spite of', 'for the sake of', 'in front of']);
  return `${random.pick(['Never', 'Always'])} ${random.pick(DEEDS)} the ${one} ${first} ${when} the ${other} ${second}`;
}
