import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  HOTPOT_FILE,
  HOTPOT_POOL_FILE,
} from '../../../../../../src-main/subnets/quasar/tasks/published/hotpot-rows.ts';
import { ownTexts } from '../../../../../../src-main/subnets/quasar/tasks/published/own-texts.ts';
import { SeededRandom } from '../../../../../../src-main/validation/seeded-random.ts';
import { count, folderOf, hotpotRow, open } from './support.ts';

const NAME = 'hotpotqa-distractor';
const PLENTY = 1_000_000;
/** SHA-256 of three tasks of our own file. A change here means that the version of these tasks has to be raised. */
const FROZEN = 'c8646034d6ec2bca964e9c110013edbaa803d7c83b4ec307eb52049a9e6bb188';

interface Row {
  _id: string;
  question: string;
  context: [string, string[]][];
  supporting_facts: [string, number][];
}
const ownRows = async (): Promise<Row[]> => JSON.parse(await readFile(join(ownTexts(), HOTPOT_FILE), 'utf8'));
const textOf = ([title, sentences]: [string, string[]]) =>
  `Title: ${title}\n${sentences.map((one) => one.trim()).join(' ')}`;
const titlesIn = (context: string) => [...context.matchAll(/^Title: (.*)$/gm)].map(([, title]) => title);

describe('HotpotQA', () => {
  it('keeps both documents that the answer follows from, at every length', async () => {
    const set = await open(NAME);
    const rows = await ownRows();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 300, max: 6_000 }), fc.integer(), async (tokens, seed) => {
        const task = await set.task(new SeededRandom(String(seed)), { tokens, count });
        const row = rows.find(({ _id: id }) => id === task.source?.row) as Row;
        const gold = new Set(row.supporting_facts.map(([title]) => title));
        for (const document of row.context) {
          if (gold.has(document[0])) expect(task.context).toContain(textOf(document));
        }
        expect(task.prompt.endsWith(`Question: ${row.question}\nAnswer:`)).toBe(true);
        expect(await count(task.prompt)).toBeLessThanOrEqual(tokens);
        const titles = titlesIn(task.context);
        expect(new Set(titles).size).toBe(titles.length);
        expect(task.context.startsWith('Title: ', Math.round((task.depth ?? -1) * task.context.length))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('is as long as wanted while there are documents, and then as long as they are', async () => {
    const set = await open(NAME);
    for (const tokens of [500, 1_000, 2_000, 2_400]) {
      const { prompt } = await set.task(new SeededRandom('long'), { tokens, count });
      expect(await count(prompt)).toBeGreaterThan(tokens * 0.97);
    }
    const all = await set.task(new SeededRandom('long'), { tokens: PLENTY, count });
    expect(titlesIn(all.context)).toHaveLength(48);
  });

  it('cuts none but the last of those that do not help', async () => {
    const set = await open(NAME);
    const whole = new Set((await ownRows()).flatMap(({ context }) => context.map(textOf)));
    for (let seed = 0; seed < 20; seed++) {
      const { context } = await set.task(new SeededRandom(`${seed}`), { tokens: 900 + seed * 31, count });
      const cut = context.split('\n\n').filter((document) => !whole.has(document));
      expect(cut.length).toBeLessThanOrEqual(1);
      for (const one of cut) expect([...whole].some((document) => document.startsWith(`${one} `))).toBe(true);
    }
  });

  it('puts documents in another order for another seed, and takes others', async () => {
    const set = await open(NAME);
    const at = async (seed: string) =>
      titlesIn((await set.task(new SeededRandom(seed), { item: 0, tokens: 1_500, count })).context);
    const [first, second] = [await at('1'), await at('2')];
    expect(first).not.toEqual(second);
    expect(first.toSorted()).not.toEqual(second.toSorted());
    expect(await at('1')).toEqual(first);
  });

  it('takes more documents from the file for training where that is there, and has another version then', async () => {
    const pool = [
      hotpotRow({
        context: [
          ['One', ['No.']],
          ['Two', ['No.']],
          ['Pool', ['Deep.']],
        ],
      }),
    ];
    const files = { [HOTPOT_FILE]: JSON.stringify([hotpotRow()]) };
    const alone = await open(NAME, await folderOf(files));
    const both = await open(NAME, await folderOf({ ...files, [HOTPOT_POOL_FILE]: JSON.stringify(pool) }));
    const { context } = await both.task(new SeededRandom(''), { tokens: PLENTY, count });
    expect(titlesIn(context).toSorted()).toEqual(['One', 'Other', 'Pool', 'Two']);
    expect(context).not.toContain('No.');
    expect(titlesIn((await alone.task(new SeededRandom(''), { tokens: PLENTY, count })).context)).toHaveLength(3);
    expect(both.source.version).not.toBe(alone.source.version);
  });

  it('counts seldom, however many letters a token has', async () => {
    const long = 'considerably '.repeat(30);
    const rows = Array.from({ length: 400 }, (_, index) => {
      const titles = [`A${index}`, `B${index}`];
      const facts = titles.map((title) => [title, 0]);
      return hotpotRow({ supporting_facts: facts, context: titles.map((title) => [title, [long]]) });
    });
    const set = await open(NAME, await folderOf({ [HOTPOT_FILE]: JSON.stringify(rows) }));
    let counts = 0;
    const coarse = async (text: string) => {
      counts++;
      return Math.ceil(text.length / 12);
    };
    const { prompt } = await set.task(new SeededRandom(''), { tokens: 20_000, count: coarse });
    expect(prompt.length / 12).toBeGreaterThan(19_800);
    expect(counts).toBeLessThan(25);
  });

  it('is an error where the two documents alone are too long, or the file is missing', async () => {
    const set = await open(NAME);
    await expect(set.task(new SeededRandom(''), { tokens: 60, count })).rejects.toMatchObject({
      code: 'CONTEXT_TOO_LONG',
    });
    await expect(open(NAME, await folderOf())).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      hint: expect.stringContaining('http://curtis.ml.cmu.edu/datasets/hotpot/hotpot_dev_distractor_v1.json'),
    });
  });

  it('makes the same tasks of our own texts for ever', async () => {
    const set = await open(NAME);
    expect(set).toMatchObject({ items: 8, skipped: 0, source: { own: true } });
    const tasks = [];
    for (const tokens of [400, 1_500, PLENTY])
      tasks.push(await set.task(new SeededRandom(`2031-${tokens}`), { tokens, count }));
    expect(createHash('sha256').update(JSON.stringify(tasks)).digest('hex')).toBe(FROZEN);
  });
});
