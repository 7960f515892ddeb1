import type { SeededRandom } from '../../../../../validation/seeded-random.ts';
import { distinct } from '../text/branches.ts';
import { madeName, QUALITIES, THINGS } from '../text/made-words.ts';
import { CONDITIONS, capital, conditionInWords, modeInWords, numberInText, STATES, stateInWords } from './lexicon.ts';

export const SYSTEMS = 8;
const DIALS = ['upper', 'lower'] as const;
export type Dial = (typeof DIALS)[number];

/** What a report says of a system. */
export interface Report {
  condition: number;
  upper: number;
  lower: number;
}

/** A machine, who reckons for it, and what was seen of it. */
export interface System {
  name: string;
  /** What it is called in reports. */
  alias: string;
  /** `calc_417`, the function that reckons for it. */
  serves: string;
  /** The one that did so before: it is told which that was, and which took its place. */
  served: string;
  /** Which dial that function reads. */
  reads: Dial;
  /** What held before, and no longer does. */
  earlier: Report;
  latest: Report;
  /** By way of which others its latest report is told, if of any. */
  told: Told;
}

export interface Told {
  /** The condition is that of another system's latest report, altogether or but for its mode or its state. */
  like?: { system: System; but?: 'mode' | 'state' };
  /** One of the dials is told by how far it was from the same one in another system's latest report. */
  from?: { system: System; dial: Dial };
}

/** Draws the systems. A report may refer to that of a system before it; the last one, which is asked for, has a report that does. */
export function drawSystems(random: SeededRandom): System[] {
  const names = distinct(SYSTEMS, () => madeName(random));
  const things = random.sample(THINGS, SYSTEMS);
  const numbers = distinct(2 * SYSTEMS, () => random.between(100, 999));
  const systems: System[] = [];
  for (const [at, name] of names.entries()) {
    const reads = random.pick(DIALS);
    const told = at === 0 ? {} : howTold(random, systems, at === SYSTEMS - 1 ? reads : undefined);
    systems.push({
      ...{ name, alias: `the ${capital(random.pick(QUALITIES))} ${capital(things[at] ?? '')}` },
      ...{ serves: `calc_${numbers[at]}`, served: `calc_${numbers[at + SYSTEMS]}`, reads },
      ...{ earlier: aReport(random), latest: latestOf(random, told), told },
    });
  }
  return systems;
}

const aReport = (random: SeededRandom): Report => ({
  ...{ condition: random.below(CONDITIONS), upper: random.between(10, 99), lower: random.between(10, 99) },
});

/**
 * How a latest report is told.
 * @param asked the dial that is read, where the system is the one that is asked for: that one refers to systems that refer to others themselves, where there are any
 */
function howTold(random: SeededRandom, before: readonly System[], asked?: Dial): Told {
  const some = (way: keyof Told) => {
    const furthest = asked ? Math.min(3, Math.max(...before.map((system) => hops(system, way)))) : 0;
    return random.pick(before.filter((system) => hops(system, way) >= furthest));
  };
  const like = { system: some('like'), but: random.pick([undefined, 'mode', 'state'] as const) };
  const from = { system: some('from'), dial: asked ?? random.pick(DIALS) };
  const isByWay = () => asked !== undefined || random.below(4) > 0;
  return { ...(isByWay() && { like }), ...(isByWay() && { from }) };
}

/** By way of how many others something about a system is told. */
function hops({ told }: System, way: keyof Told): number {
  const other = told[way]?.system;
  return other ? 1 + hops(other, way) : 0;
}

function latestOf(random: SeededRandom, { like }: Told): Report {
  const drawn = aReport(random);
  const states = STATES.length;
  const [mode, state] = [Math.floor(drawn.condition / states), drawn.condition % states];
  if (!like) return drawn;
  const { condition } = like.system.latest;
  if (like.but === 'mode') return { ...drawn, condition: mode * states + (condition % states) };
  if (like.but === 'state') return { ...drawn, condition: condition - (condition % states) + state };
  return { ...drawn, condition };
}

/** Paragraphs about the systems in words: names, functions, dials and reports, two systems at a time where that makes one look twice. */
export function systemsInWords(random: SeededRandom, systems: readonly System[]): string[] {
  const pairs = () => {
    const order = random.sample(systems, systems.length);
    return order.flatMap((one, at) => (at % 2 === 0 ? [[one, order[at + 1]] as [System, System]] : []));
  };
  return [
    ...pairs().map(([one, other]) => namesOf(random, one, other)),
    ...pairs().map(([one, other]) => functionsOf(random, one, other)),
    ...pairs().map(([one, other]) => successorsOf(random, one, other)),
    ...pairs().map(([one, other]) => dialsOf(random, one, other)),
    ...systems.map((system) => reportsOf(random, system)),
  ];
}

/** One of several ways to begin a paragraph. A function keeps its small letter. */
const pickOf = (random: SeededRandom) => (ways: readonly string[]) => {
  const way = random.pick(ways);
  return way.startsWith('calc_') ? way : capital(way);
};

function namesOf(random: SeededRandom, one: System, other: System): string {
  return pickOf(random)([
    `${one.name} and ${other.name} are better known as ${one.alias} and ${other.alias}, in this order.`,
    `the crew says ${one.alias} and ${other.alias}; the papers say ${one.name} for the former and ${other.name} for the latter.`,
    `whoever hears of ${one.alias} should know that ${one.name} is meant. In the same way, ${other.alias} is ${other.name}.`,
    `of ${one.alias} and ${other.alias}, the second is listed as ${other.name}, and the first as ${one.name}.`,
    `${one.name}, ${other.name}: these are the proper names. In the workshop they are ${other.alias} and ${one.alias}, if one begins with the last of them.`,
    `the plate on ${one.alias} reads ${other.name}, but that plate was screwed on by mistake: it comes from ${other.alias}. The right one would read ${one.name}.`,
    `${one.name} is not ${other.alias}, though both are green: ${other.alias} is ${other.name}, and ${one.alias} is what remains.`,
    `if it is not ${other.alias}, it is ${one.alias}; and if it is not ${one.name}, it is ${other.name}. One machine goes by the first alias and the second name, the other by what is left.`,
    `someone took ${one.alias} for ${other.name}. It is ${one.name}, of course, and ${other.alias} is what that person had in mind.`,
    `nobody in the yard uses the name ${one.name}. There it is ${one.alias}, just as ${other.name} is ${other.alias}.`,
  ]);
}

function functionsOf(random: SeededRandom, one: System, other: System): string {
  return pickOf(random)([
    `${one.name} and ${other.name} are reckoned by ${one.served} and ${other.served}, respectively.`,
    `${one.served} and ${other.served} serve ${other.name} and ${one.name}, the other way round than one might think: the first serves the one named last.`,
    `for ${one.name}, call ${one.served}. As to ${other.name}, that has been the task of ${other.served} for years.`,
    `once ${other.served} did the sums for ${one.name}. Today ${one.served} does, and ${other.served} does them for ${other.name}.`,
    `two machines, two functions. ${one.name} comes first and ${other.name} second; so it is with ${one.served} and ${other.served}.`,
    `${one.name} and ${other.name} exchanged their functions last year: ${other.served} was the first one’s then, ${one.served} the second one’s.`,
    `${other.served} knows nothing of ${one.name}, since it was made for ${other.name}. For what it knows nothing of, there is ${one.served}.`,
    `whoever has a question about ${other.name} should not ask ${one.served}, and about ${one.name} not ${other.served}. These two share the work between them.`,
    `were it not for ${one.served}, nothing would be known of ${one.name}; were it not for ${other.served}, nothing of ${other.name}.`,
    `it is ${one.served}, not ${other.served}, that belongs to ${one.name}. The one that does not belongs to ${other.name}.`,
  ]);
}

function successorsOf(random: SeededRandom, one: System, other: System): string {
  return pickOf(random)([
    `${one.served} and ${other.served} are out of use. Their places were taken by ${one.serves} and ${other.serves}, in this order.`,
    `when ${one.served} was retired, its machine went to ${one.serves}. In the case of ${other.served}, ${other.serves} was the heir.`,
    `${one.serves} and ${other.serves} are new: the latter replaces ${other.served}, the former ${one.served}.`,
    `wherever it says ${other.served} or ${one.served}, read ${other.serves} or ${one.serves}, respectively.`,
    `of two functions that were given up, ${one.served} and ${other.served}, the second has become ${other.serves}. The first has become ${one.serves}.`,
    `${one.serves} is not the successor of ${other.served}. That is ${other.serves}, whereas ${one.serves} stepped in for ${one.served}.`,
    `the work of ${one.served} is done by ${one.serves} now. There is a ${other.serves} as well: it does what ${other.served} did.`,
  ]);
}

const opposite = (dial: Dial): Dial => (dial === 'upper' ? 'lower' : 'upper');

function dialsOf(random: SeededRandom, one: System, other: System): string {
  const [a, b] = [one.serves, other.serves];
  const same = one.reads === other.reads;
  return pickOf(random)([
    `${a}(reading of the ${one.reads} dial, condition). ${b}(condition, reading of the ${other.reads} dial).`,
    `of its two dials, ${a} ignores the ${opposite(one.reads)} one; ${b} ignores ${same ? 'the same one' : `the ${opposite(other.reads)} one`}.`,
    `${a} takes what the ${one.reads} dial shows. ${b} takes ${same ? 'that as well' : 'what the other dial shows'}.`,
    `${same ? 'Both' : 'Only the first'} of ${a} and ${b} ${same ? 'look' : 'looks'} at the ${one.reads} dial${same ? '' : '; the second looks at the one that is left'}.`,
    `${a} would do just as well if the ${opposite(one.reads)} dial were broken. ${b} would ${same ? 'too' : 'not'}.`,
    `a broken ${one.reads} dial would mislead ${a}. ${b} ${same ? 'would be misled with it' : 'would never notice'}.`,
    `${a} has never looked at the ${opposite(one.reads)} dial, ${b} never at ${same ? 'that either' : 'anything else'}.`,
    `in ${a}, the argument called dial means the ${one.reads} one. In ${b} it means ${same ? 'no other' : 'the opposite'}.`,
    `${b} has a signature of two arguments, a condition and a dial: the ${other.reads} one. ${a} has ${same ? 'just the same' : 'the same but for the dial, which is the other one'}.`,
  ]);
}

/** What was seen of a system, and what was seen before: the order in which they are told is no help. */
function reportsOf(random: SeededRandom, { alias, earlier, latest, told }: System): string {
  const now = nowInWords(random, latest, told);
  const then = conditionInWords(random, earlier.condition);
  const dials = dialsInWords(random, latest, told);
  const [upper, lower] = [numberInText(random, earlier.upper), numberInText(random, earlier.lower)];
  return pickOf(random)([
    `a week ago ${alias} was ${then}, with ${upper} above and ${lower} below. That is over: since this morning it has been ${now}. ${dials}`,
    `the last report on ${alias} found it ${now}. ${dials} The report before had it ${then}, at ${upper} on the upper dial and ${lower} on the lower.`,
    `${alias} is no longer ${then}. It is ${now}. ${dials} (The old figures were ${upper} and ${lower}.)`,
    `according to the night shift, ${alias} was ${then}; the day shift, which came later, saw that it was ${now}. ${dials} At night it had been ${upper} and ${lower}.`,
    `at noon, somebody looked at ${alias}: ${now}. ${dials} Before noon there were ${upper} and ${lower} on the dials, and the machine was ${then}.`,
    `where ${alias} had been ${then} at first, with the dials at ${upper} and ${lower}, it was ${now} in the end. ${dials}`,
    `by this time nobody doubts that ${alias} is ${now}. ${dials} Those who say that it is ${then} have not been there since the dials were at ${upper} and ${lower}.`,
    `${upper} above, ${lower} below, and ${then}: that is out of date. By now ${alias} is ${now}. ${dials}`,
  ]);
}

/** The condition of a latest report, by itself or by that of another one. */
function nowInWords(random: SeededRandom, { condition }: Report, { like }: Told): string {
  if (!like) return conditionInWords(random, condition);
  const { alias } = like.system;
  const seen = random.pick(['when last seen', 'by its latest report', 'the last time anyone looked']);
  const [mode, state] = [modeInWords(random, condition), stateInWords(random, condition)];
  const ways = {
    all: [
      `just what ${alias} was ${seen}`,
      `no different from what ${alias} was ${seen}`,
      `in the very condition in which ${alias} was ${seen}`,
    ],
    mode: [
      `in the same shape as ${alias} ${seen}, only ${mode}`,
      `${mode}, but otherwise as ${alias} was ${seen}`,
      `what ${alias} was ${seen}, had that been ${mode}`,
    ],
    state: [
      `doing what ${alias} did ${seen}, though ${state}`,
      `${state}, but otherwise as ${alias} was ${seen}`,
      `at the same stage of its work as ${alias} ${seen}, only ${state}`,
    ],
  };
  return random.pick(ways[like.but ?? 'all']);
}

function dialsInWords(random: SeededRandom, latest: Report, { from }: Told): string {
  const { upper, lower } = latest;
  const number = (value: number) => numberInText(random, value);
  const further = (by: number, more: string, less: string) => `${number(Math.abs(by))} ${by < 0 ? less : more}`;
  const pick = pickOf(random);
  if (from && from.system.latest[from.dial] !== latest[from.dial]) {
    const { dial } = from;
    const { alias } = from.system;
    const by = latest[dial] - from.system.latest[dial];
    const other = number(latest[opposite(dial)]);
    const [here, there] = dial === 'upper' ? ['above', 'below'] : ['below', 'above'];
    return pick([
      `the ${opposite(dial)} dial showed ${other}, the ${dial} one ${further(by, 'more', 'less')} than that of ${alias} did in its latest report.`,
      `${there}, it was ${other}. ${capital(here)}, it was what ${alias} has there of late, ${by < 0 ? 'less' : 'and'} ${number(Math.abs(by))}${by < 0 ? '' : ' besides'}.`,
      `take the newest reading of the ${dial} dial of ${alias}. Here that dial was ${further(by, 'higher', 'lower')}; the other one stood at ${other}.`,
      `had ${alias} shown ${further(by, 'more', 'less')} on its ${dial} dial in its latest report, the two would have agreed there. On the ${opposite(dial)} dial, it was ${other}.`,
    ]);
  }
  if (upper === lower) return `Both dials showed ${number(upper)}.`;
  return pick([
    `the upper dial showed ${number(upper)}, the other one ${further(lower - upper, 'more', 'less')}.`,
    `below, the dial stood at ${number(lower)}. Above, it stood ${further(upper - lower, 'higher', 'lower')}.`,
    `the two dials made ${number(upper + lower)} together, ${number(upper)} of it on the upper one.`,
    `somebody read ${number(upper)} and ${number(lower)}, beginning with the upper dial.`,
    `it was ${number(lower)} on the lower dial. The upper dial had ${further(upper - lower, 'more', 'less')}.`,
    `one dial read ${number(lower)} and the other ${number(upper)}; the latter is the upper one.`,
    `of ${number(Math.max(upper, lower))} and ${number(Math.min(upper, lower))}, the ${upper > lower ? 'greater' : 'smaller'} was seen above, what remains below.`,
  ]);
}
