import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutMiddle,
  joined,
  longestWithin,
} from '../../../../../../src-main/subnets/quasar/tasks/published/cut-text.ts';
import { count } from './support.ts';

const words = (number: number, from = 0) => Array.from({ length: number }, (_, index) => `w${index + from}`).join(' ');

describe('a text that is too long', () => {
  it('is left as it is where it is short enough', async () => {
    const all = { before: 'Read: ', context: words(50), after: ' What?' };
    expect(await cutMiddle(all, await count(joined(all)), count)).toBe(all);
  });

  it('keeps its beginning and its end, in halves of all that is asked, and what is asked', async () => {
    const all = { before: 'Read this: ', context: words(5_000), after: ' And what does it say?' };
    for (const tokens of [100, 1_000, 4_000]) {
      const cut = await cutMiddle(all, tokens, count);
      const text = joined(cut);
      const total = await count(text);
      expect(total).toBeLessThanOrEqual(tokens);
      expect(total).toBeGreaterThan(tokens * 0.98);
      expect(text.startsWith('Read this: w0 w1 ')).toBe(true);
      expect(text.endsWith(' w4999 And what does it say?')).toBe(true);
      const [head, tail] = seam(all.context, cut.context);
      const [first, last] = [await count(all.before + head), await count(tail + all.after)];
      expect(Math.abs(first - last)).toBeLessThan(tokens * 0.02 + 3);
    }
  });

  it('gives way to a long question', async () => {
    const all = { before: '', context: words(1_000), after: ` ${words(80, 9_000)}` };
    const cut = await cutMiddle(all, 100, count);
    expect(joined(cut).endsWith(all.after)).toBe(true);
    expect(cut.context.startsWith('w0 ')).toBe(true);
  });

  it('is an error where not even the question is short enough', async () => {
    const all = { before: '', context: words(100), after: ` ${words(80)}` };
    await expect(cutMiddle(all, 50, count)).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG', field: 'tokens' });
  });

  it('is cut between characters, whatever it is written in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 40, maxLength: 400 }),
        fc.string({ unit: 'grapheme', maxLength: 10 }),
        fc.integer({ min: 20, max: 400 }),
        async (context, question, tokens) => {
          const all = { before: '', context, after: question };
          const cut = await cutMiddle(all, tokens, count);
          expect(cut.context.isWellFormed()).toBe(true);
          expect(await count(joined(cut))).toBeLessThanOrEqual(tokens);
          expect(joined(cut).endsWith(question)).toBe(true);
          seam(context, cut.context);
        },
      ),
    );
  });

  it('stays within its tokens though two halves have more together than apart', async () => {
    // What meets in the middle costs nine tokens more than anything else.
    const costly = async (text: string) => (await count(text)) + (/w(?!99)\d+ ?w?\d* w99/.test(text) ? 9 : 0);
    const all = { before: '', context: words(1_000), after: '?' };
    expect(await costly(joined(await cutMiddle(all, 120, costly)))).toBeLessThanOrEqual(120);
  });
});

describe('the longest text of so many tokens', () => {
  it('is found with few counts', async () => {
    const text = words(100_000);
    let counts = 0;
    const counted = (one: string) => {
      counts++;
      return count(one);
    };
    const length = await longestWithin((most) => text.slice(0, most), text.length, 32_000, counted);
    const found = await count(text.slice(0, length));
    expect(found).toBeGreaterThan(32_000 * 0.99);
    expect(found).toBeLessThanOrEqual(32_000);
    expect(counts).toBeLessThan(12);
  });

  it('is nothing where nothing fits, and all where all does', async () => {
    expect(await longestWithin((most) => 'a '.repeat(most + 10), 50, 5, count)).toBe(0);
    expect(await longestWithin((most) => 'a '.repeat(most), 50, 500, count)).toBe(50);
  });
});

/** The two parts of a text that a cut one consists of. */
function seam(text: string, cut: string): [string, string] {
  let head = 0;
  while (head < cut.length && text[head] === cut[head]) head++;
  expect(text.endsWith(cut.slice(head))).toBe(true);
  return [cut.slice(0, head), cut.slice(head)];
}
