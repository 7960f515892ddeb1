import { describe, expect, it } from 'vitest';
import { solved } from '../../../../../../scripts/quasar-execution-solver.ts';
import {
  drawExecution,
  type Execution,
  execution,
} from '../../../../../../src-main/subnets/quasar/tasks/made/execution/execution.ts';
import type { Form } from '../../../../../../src-main/subnets/quasar/tasks/made/execution/forms.ts';
import { CONDITIONS, MODES, STATES } from '../../../../../../src-main/subnets/quasar/tasks/made/execution/lexicon.ts';
import type { Report, System } from '../../../../../../src-main/subnets/quasar/tasks/made/execution/systems.ts';
import { branches } from '../../../../../../src-main/subnets/quasar/tasks/made/text/branches.ts';
import { SeededRandom } from '../../../../../../src-main/validation/seeded-random.ts';
import { madeOne, seeds, timesIn } from './support.ts';

const drawnFor = (seed: string) => drawExecution(branches(new SeededRandom(seed))('execution'));

/** What a form says of each of its conditions, by what its sentences mean: told by the form alone, not by the values behind it. */
function saidBy(form: Form, of: (condition: number) => number): number[] {
  switch (form.is) {
    case 'direct':
    case 'corrected':
      return [form.number];
    case 'related':
      return [form.times * of(form.to) + form.plus];
    case 'shared':
      return [of(form.to) + form.plus, of(form.to) + form.plus];
    case 'listed': {
      const [a, b, c] = form.numbers;
      if (form.order === 'same') return [a, b, c];
      return form.order === 'reversed' ? [c, b, a] : [b, a, c];
    }
    case 'apart':
      return [form.first, form.first + form.by];
    case 'together':
      return [form.sum - form.second, form.second];
    case 'ranked': {
      const [least = 0, middle = 0, most = 0] = form.numbers.toSorted((a, b) => a - b);
      return form.of.map((_, at) => (at === form.most ? most : at === form.least ? least : middle));
    }
  }
}

/** Reads one condition’s number out of a table. @throws where it is not said just once, or goes in a circle */
function readFrom(forms: readonly Form[], condition: number, way: readonly number[] = []): number {
  if (way.includes(condition)) throw new Error('it goes in a circle');
  const saying = forms.filter(({ of }) => of.some((each) => each === condition));
  const [form] = saying;
  if (!form || saying.length > 1) throw new Error(`it is said ${saying.length} times`);
  const numbers = saidBy(form, (other) => readFrom(forms, other, [...way, condition]));
  return numbers[[...form.of].indexOf(condition)] ?? Number.NaN;
}

/** Reads a latest report, where it says so by way of others. What a report adds of its own is taken from it. */
function reportOf({ latest, told: { like, from } }: System): Report {
  const { condition: own, ...dials } = latest;
  const other = like && reportOf(like.system).condition;
  const kept = { mode: [own, other ?? 0], state: [other ?? 0, own] }[like?.but ?? 'mode'];
  const states = STATES.length;
  const mixed = Math.floor((kept[0] ?? 0) / states) * states + ((kept[1] ?? 0) % states);
  const by = from && latest[from.dial] - from.system.latest[from.dial];
  if (from) dials[from.dial] = reportOf(from.system)[from.dial] + (by ?? 0);
  return { condition: other === undefined ? own : like?.but ? mixed : other, ...dials };
}

function reference({ systems, target, forms }: Execution): number {
  expect(systems.filter(({ name }) => name === target.name)).toHaveLength(1);
  expect(new Set(systems.flatMap(({ serves, served }) => [serves, served])).size).toBe(2 * systems.length);
  expect(new Set(systems.map(({ alias }) => alias)).size).toBe(systems.length);
  const { condition, ...dials } = reportOf(target);
  return dials[target.reads] * readFrom(forms.factor, condition) + readFrom(forms.supplement, condition);
}

describe('an execution task', () => {
  it('can be solved by who understands its sentences, and in one way', () => {
    for (const seed of seeds(200)) {
      const { expected } = madeOne(execution, seed, '', execution.leastWords);
      expect(expected).toEqual([String(reference(drawnFor(seed)))]);
    }
  });

  it('says of each of the forty conditions once what it has, with numbers in their ranges', () => {
    for (const seed of seeds(50)) {
      const { forms } = drawnFor(seed);
      const all = Array.from({ length: CONDITIONS }, (_, condition) => condition);
      const [factors, supplements] = [forms.factor, forms.supplement].map((table) =>
        all.map((condition) => readFrom(table, condition)),
      );
      expect(factors?.every((number) => number >= 2 && number <= 20)).toBe(true);
      expect(supplements?.every((number) => number >= 1 && number <= 50)).toBe(true);
    }
  });

  it('has words for the halves of a condition that are never those of another half', () => {
    const phrases = [...MODES, ...STATES].flatMap((list, which) => list.map((phrase) => ({ phrase, which })));
    expect(new Set(phrases.map(({ phrase }) => phrase)).size).toBe(phrases.length);
    for (const { phrase, which } of phrases) {
      const within = phrases.filter(
        (other) => other.which !== which && new RegExp(`\\b${phrase}\\b`).test(other.phrase),
      );
      expect(within).toEqual([]);
    }
  });

  it('tells what is asked for by way of others that are told by way of others', () => {
    const isByWay = ({ is }: Form) => is === 'related' || is === 'shared';
    for (const seed of seeds(50)) {
      const { forms, target } = drawnFor(seed);
      expect(target.told.like).toBeDefined();
      for (const table of [forms.factor, forms.supplement]) {
        const form = table.find(({ of }) => of.some((each) => each === target.latest.condition));
        expect(form && isByWay(form)).toBe(true);
      }
    }
  });

  it('names what it asks for, and holds all of its own text at any length', () => {
    for (const words of [execution.leastWords, 20_000]) {
      const { context, prompt } = madeOne(execution, 'long', '', words);
      const { systems, target } = drawnFor('long');
      expect(context.split(/\s+/)).toHaveLength(words);
      expect(prompt).toContain(`What is the result of ${target.name}?`);
      for (const { name, serves, alias } of systems) {
        expect(context).toContain(alias.slice(4));
        expect(timesIn(context, serves)).toBeGreaterThanOrEqual(2);
        expect(timesIn(context, name)).toBeGreaterThanOrEqual(2);
      }
    }
  });

  it('is solved by patterns in less than one of twenty cases', () => {
    expect(solved(200)).toBeLessThan(10);
  });
});
