import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sentencesOf } from '../../../../../../src-main/subnets/quasar/tasks/published/sentences.ts';
import { SeededRandom } from '../../../../../../src-main/validation/seeded-random.ts';
import { count, folderOf, open } from './support.ts';

const PLENTY = 1_000_000;
/** SHA-256 of three tasks of our own file. A change here means that the version of these tasks has to be raised. */
const FROZEN = 'cf4033f65be43542e87c1ccde8e1a16ab622738e11c565fa810181b9a9976028';
const VARIANTS = ['full', 'executive', 'key-points'];
const summary =
  'The U.S. Navy has 3.5 ships. It wants five. Mr. Rook disagrees. Nobody knows why! Will it pay? Perhaps. (It must.)';
const row = { report: 'Long ago. '.repeat(300), summary };

describe('GovReport', () => {
  it('is asked about in three ways, which begin alike', async () => {
    const set = await open(
      'govreport',
      await folderOf({ 'govreport_test.jsonl': JSON.stringify({ ...row, title: 'Ships', id: 12 }) }),
    );
    const tasks = [];
    for (const variant of VARIANTS)
      tasks.push(await set.task(new SeededRandom(''), { variant, tokens: PLENTY, count }));
    expect(tasks.map(({ variant }) => variant)).toEqual(VARIANTS);
    expect(tasks.map(({ expected }) => expected[0])).toEqual([
      summary,
      'The U.S. Navy has 3.5 ships. It wants five. Mr. Rook disagrees. Nobody knows why!',
      '- The U.S. Navy has 3.5 ships.\n- It wants five.\n- Mr. Rook disagrees.\n- Nobody knows why!\n- Will it pay?',
    ]);
    expect(new Set(tasks.map(({ prompt }) => prompt)).size).toBe(3);
    for (const { prompt, context, metric, source } of tasks) {
      expect(prompt.startsWith(context)).toBe(true);
      expect(prompt).toContain('Its title: Ships');
      expect([metric, source?.row]).toEqual(['rouge-l', '12']);
    }
  });

  it('draws one of them where none is wanted, and needs no title', async () => {
    const set = await open(
      'govreport-train',
      await folderOf({ 'govreport_train.jsonl': JSON.stringify({ ...row, title: null }) }),
    );
    const drawn = new Set<string>();
    for (let seed = 0; seed < 30; seed++) {
      const task = await set.task(new SeededRandom(`${seed}`), { tokens: PLENTY, count });
      drawn.add(task.variant);
      expect(task.prompt).not.toContain('title');
    }
    expect([...drawn].sort()).toEqual(VARIANTS.toSorted());
  });

  it('keeps both ends of a report that is too long, and its title', async () => {
    const set = await open('govreport');
    for (const tokens of [300, 800]) {
      const { prompt } = await set.task(new SeededRandom(''), { item: 0, variant: 'full', tokens, count });
      expect(await count(prompt)).toBeLessThanOrEqual(tokens);
      expect(
        prompt.startsWith('Public Wells in the Aune Valley: Who Looks After the Water\n\nBackground\n\nFor most'),
      ).toBe(true);
      expect(prompt).toContain('and proposes one every three years.\n\nSummarise this report');
    }
  });

  it('says where its rows come from where they are missing', async () => {
    await expect(open('govreport', await folderOf())).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      hint: expect.stringContaining(
        'https://huggingface.co/datasets/ccdv/govreport-summarization, part «test», each row written as JSON',
      ),
    });
  });

  it('makes the same tasks of our own texts for ever', async () => {
    const set = await open('govreport');
    expect(set).toMatchObject({ items: 5, skipped: 0, source: { own: true } });
    const tasks = [];
    for (const tokens of [400, 1_000, PLENTY])
      tasks.push(await set.task(new SeededRandom(`2031-${tokens}`), { tokens, count }));
    expect(createHash('sha256').update(JSON.stringify(tasks)).digest('hex')).toBe(FROZEN);
  });
});

describe('sentences', () => {
  it('end where they end, and not in what is shortened', () => {
    expect(sentencesOf(summary)).toHaveLength(7);
    expect(sentencesOf('He said: “No.” She left. See e.g. Fig. 3. End')).toEqual([
      'He said: “No.”',
      'She left.',
      'See e.g. Fig. 3.',
      'End',
    ]);
    expect(sentencesOf('  ')).toEqual([]);
    expect(sentencesOf('one. two. 3')).toEqual(['one. two.', '3']);
  });

  it('are found in a very long text soon', () => {
    expect(sentencesOf('a.'.repeat(500_000))).toHaveLength(1);
    expect(sentencesOf('. '.repeat(500_000))).toHaveLength(1);
    expect(sentencesOf(`.${' '.repeat(200_000)}a`)).toHaveLength(1);
  });
});
