import { describe, expect, it } from 'vitest';
import { needle, needles, scaling } from '../../../../../../src-main/subnets/quasar/tasks/made/needles.ts';
import { bandOf } from '../../../../../../src-main/subnets/quasar/tasks/made/text/depth-bands.ts';
import { twoHop } from '../../../../../../src-main/subnets/quasar/tasks/made/two-hop.ts';
import { DEPTH_BANDS, type DepthBand } from '../../../../../../src-preload/contract/evaluation-numbers.ts';
import { made, madeOne, seeds, timesIn, wordsBefore } from './support.ts';

const bandIn = (variant: string) => variant.split(', ')[1] as DepthBand;

/** The sentence that something stands in. */
const sentenceWith = (text: string, part: string) =>
  text.split(/(?<=[.:”]) (?=[“A-Z])|\n\n/).filter((sentence) => sentence.includes(part));

describe('a needle', () => {
  it.each(needle.variants)(
    'of the kind and depth «%s» stands where it says, once, in a text of the length that was asked for',
    (variant) => {
      for (const words of [1_000, 100_000]) {
        for (const seed of seeds(words === 1_000 ? 40 : 2)) {
          const { context, prompt, depth = -1, expected } = madeOne(needle, seed, variant, words);
          const value = expected[0] ?? '';
          expect(context.split(/\s+/)).toHaveLength(words);
          expect(timesIn(prompt, value)).toBe(1);
          // It begins at its depth, and holds the value.
          expect(context.slice(Math.round(depth * context.length)).slice(0, 200)).toContain(value);
          const [least, most] = bandOf(bandIn(variant), words);
          const before = wordsBefore(context, depth);
          expect(before).toBeGreaterThanOrEqual(Math.floor(least));
          expect(before).toBeLessThanOrEqual(Math.ceil(most));
        }
      }
    },
  );

  it('is whole in the shortest text', () => {
    for (const variant of needle.variants) {
      for (const seed of seeds(10)) {
        const { context, expected } = madeOne(needle, seed, variant, needle.leastWords);
        expect(sentenceWith(context, expected[0] ?? '')[0]).toMatch(/[.”]$/);
      }
    }
  });

  it('is never the same', () => {
    const values = seeds(300).map((seed) => madeOne(needle, seed, 'number, middle', 100).expected[0]);
    expect(new Set(values).size).toBe(300);
  });

  it('is asked for with the text before the question, and the question says what the needle says', () => {
    const { context, prompt } = madeOne(needle, 'asked', 'name, late');
    expect(prompt.startsWith(`Read this text. A question about it follows.\n\n${context}\n\n`)).toBe(true);
    const key = /mill of (\w+)/.exec(prompt.slice(-200))?.[1] ?? '';
    expect(timesIn(context, key)).toBe(1);
  });

  it('may be told in four ways and be asked for in three', () => {
    const shapes = (part: (task: ReturnType<typeof madeOne>) => string) =>
      new Set(seeds(60).map((seed) => part(madeOne(needle, seed, 'location, early', 200)).replace(/[A-Z]\w+/g, 'N')));
    expect(shapes(({ prompt }) => prompt.slice(prompt.lastIndexOf('\n\n')))).toHaveProperty('size', 3);
    expect(shapes(({ context, expected }) => sentenceWith(context, expected[0] ?? '')[0] ?? '')).toHaveProperty(
      'size',
      4,
    );
  });

  it('takes a date in every usual way to write it', () => {
    const [text = '', ...others] = madeOne(needle, 'date 7', 'date, middle').expected;
    const day = new Date(`${text} UTC`).toISOString().slice(0, 10);
    expect(others).toContain(day);
    expect(others.filter((other) => /^[A-Z]\w+ \d+, \d{4}$/.test(other))).toHaveLength(1);
  });
});

describe('several needles in one haystack', () => {
  it.each(needles.variants)('of the kind %s: one in each band, each asked for, all with the same text', (variant) => {
    for (const words of [1_000, 100_000]) {
      for (const seed of seeds(words === 1_000 ? 30 : 2)) {
        const tasks = made(needles, seed, variant, words);
        expect(new Set(tasks.map(({ context }) => context)).size).toBe(1);
        expect(new Set(tasks.map(({ prompt }) => prompt)).size).toBe(5);
        for (const [at, { context, depth = -1, expected }] of tasks.entries()) {
          const [least, most] = bandOf(DEPTH_BANDS[at] ?? 'end', words);
          expect(timesIn(context, expected[0] ?? '')).toBe(1);
          expect(wordsBefore(context, depth)).toBeGreaterThanOrEqual(Math.floor(least));
          expect(wordsBefore(context, depth)).toBeLessThanOrEqual(Math.ceil(most));
        }
      }
    }
  });
});

describe('a needle by way of another one', () => {
  it.each(['forward', 'backward'])('is found in two sentences, each in its half, told %s', (variant) => {
    for (const seed of seeds(40)) {
      for (const { context, prompt, expected, depth = -1 } of made(twoHop, seed, variant, 1_500)) {
        const map = /the (\w+) map/.exec(prompt.slice(-250))?.[1] ?? '';
        const [first] = sentenceWith(context, `${map} map`);
        const person = /[A-Z]\w+ [A-Z]\w+(?=\.|,| who)/.exec(first?.replace(`The ${map} map`, '') ?? '')?.[0] ?? '';
        expect(timesIn(context, person)).toBe(2);
        const [second] = sentenceWith(context, expected[0] ?? '');
        expect(second).toContain(person);
        const [keeper, locker] = [context.indexOf(first ?? ''), context.indexOf(second ?? '')];
        expect(keeper < locker).toBe(variant === 'forward');
        expect(depth * context.length).toBeCloseTo(Math.min(keeper, locker), 3);
        expect(depth).toBeLessThan(0.5);
      }
    }
  });

  it('cannot be had from the text’s only number: there are three', () => {
    for (const { context } of made(twoHop, 'three', 'forward')) expect(context.match(/\d{6}/g)).toHaveLength(3);
  });
});

describe('texts of several lengths to compare', () => {
  it('have the same needle, the same depth and question, and go on from the same filler', () => {
    for (const seed of seeds(20)) {
      const [short, long, longest] = [1_000, 10_000, 50_000].map((words) => madeOne(scaling, seed, '', words));
      if (!short || !long || !longest) throw new Error('nothing was made');
      const question = ({ prompt }: { prompt: string }) => prompt.slice(prompt.lastIndexOf('\n\n'));
      for (const other of [long, longest]) {
        expect(other.expected).toEqual(short.expected);
        expect(question(other)).toBe(question(short));
        expect(Math.abs((other.depth ?? 0) - (short.depth ?? 0))).toBeLessThan(0.03);
        const before = Math.round((short.depth ?? 0) * short.context.length) - 2;
        expect(other.context.slice(0, before)).toBe(short.context.slice(0, before));
      }
    }
  });
});
