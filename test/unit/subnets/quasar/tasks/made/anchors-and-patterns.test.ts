import { describe, expect, it } from 'vitest';
import { scoreBy } from '../../../../../../src-main/subnets/quasar/metrics/metrics.ts';
import { anchors } from '../../../../../../src-main/subnets/quasar/tasks/made/anchors.ts';
import { patterns } from '../../../../../../src-main/subnets/quasar/tasks/made/patterns.ts';
import { places } from '../../../../../../src-main/subnets/quasar/tasks/made/places.ts';
import { made, madeOne, seeds, timesIn } from './support.ts';

describe('anchors', () => {
  it('stand about every two hundred words, and five are asked for, one from each fifth', () => {
    for (const words of [200, 1_000, 10_000, 100_000]) {
      const tasks = made(anchors, `anchors ${words}`, '', words);
      const [{ context } = { context: '' }] = tasks;
      expect(context.split(/\s+/)).toHaveLength(words);
      expect(context.match(/\d{6}/g)).toHaveLength(Math.max(Math.round(words / 200) - 1, 5));
      expect(new Set(tasks.map((task) => task.context)).size).toBe(1);
      for (const [fifth, { depth = -1 }] of tasks.entries()) {
        expect(depth).toBeGreaterThan(fifth / 5 - 0.1);
        expect(depth).toBeLessThan((fifth + 1) / 5 + 0.2);
      }
    }
  });

  it('are named in the question, and the code beside that name is what is expected', () => {
    for (const seed of seeds(40)) {
      for (const { context, prompt, expected, depth = -1 } of made(anchors, seed, '', 3_000)) {
        const name = /the marker (\w+)\?/.exec(prompt.slice(-150))?.[1] ?? '';
        expect(timesIn(context, name)).toBe(1);
        expect(timesIn(context, expected[0] ?? '')).toBe(1);
        const sentence = context.slice(Math.round(depth * context.length)).split(/(?<=\.)\s/)[0];
        expect(sentence).toContain(name);
        expect(sentence).toContain(expected[0]);
      }
    }
  });

  it('have names and codes that no two of them share, in a text of two million tokens too', () => {
    const [task] = made(anchors, 'many', '', 1_500_000);
    const codes = task?.context.match(/\d{6}/g) ?? [];
    expect(codes).toHaveLength(7_499);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('places', () => {
  it('are named once each, one in each fifth, and asked for in percent', () => {
    for (const seed of seeds(20)) {
      const tasks = made(places, seed, '', 1_000);
      expect(tasks).toHaveLength(5);
      for (const [fifth, { context, prompt, expected, depth = -1 }] of tasks.entries()) {
        const name = /does the name (\w+) stand\?/.exec(prompt)?.[1] ?? '';
        expect(timesIn(context, name)).toBe(1);
        expect(Math.abs(context.indexOf(name) / context.length - depth)).toBeLessThan(0.02);
        expect(Number(expected[0])).toBeCloseTo(100 * depth, 0);
        expect(depth).toBeGreaterThan(fifth / 5 - 0.1);
        expect(depth).toBeLessThan((fifth + 1) / 5 + 0.1);
      }
    }
  });

  it.each([
    ['37', 1],
    ['47', 1],
    ['48', 0],
    ['27', 1],
    ['26.9', 0],
    ['37,5 %', 1],
    ['About 40 percent.', 1],
    ['37 or 90', 0.5],
    ['in the middle', 0],
  ])('are right to a tenth of the text: %s is worth %d', (answer, score) => {
    expect(scoreBy('position', answer, ['37.0'])).toBe(score);
  });
});

describe('a row that breaks off', () => {
  /** Continues a row from what the text shows of it. */
  const CONTINUED: Record<string, (shown: string[]) => string[]> = {
    fibonacci(shown) {
      const row = shown.map(Number);
      for (let more = 0; more < 3; more++) row.push(row.at(-1)! + row.at(-2)!);
      return row.slice(-3).map(String);
    },
    prime(shown) {
      const isPrime = (number: number) =>
        !Array.from({ length: 60 }, (_, at) => at + 2).some((part) => number % part === 0);
      const next: number[] = [];
      for (let number = Number(shown.at(-1)) + 1; next.length < 3; number++) if (isPrime(number)) next.push(number);
      return next.map(String);
    },
    alternating(shown) {
      const turn = new Set(shown).size;
      return [0, 1, 2].map((more) => shown[(shown.length + more) % turn] ?? '');
    },
  };

  it.each(patterns.variants)('of the kind %s goes on as expected', (variant) => {
    for (const seed of seeds(40)) {
      const { context, expected, depth = -1 } = madeOne(patterns, seed, variant, 800);
      const row =
        context
          .slice(Math.round(depth * context.length))
          .match(/\w+(?:, \w+){9}/)?.[0]
          .split(', ') ?? [];
      expect(CONTINUED[variant]?.(row).join(', ')).toBe(expected[0]);
      if (variant !== 'alternating') expect(context).not.toContain(expected[0]);
    }
  });

  it('is never the one that everybody knows', () => {
    const starts = seeds(200).map((seed) => madeOne(patterns, seed, 'fibonacci', 150).expected[0]);
    expect(new Set(starts).size).toBeGreaterThan(180);
    expect(starts).not.toContain('233, 377, 610');
  });
});
