import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { METRICS } from '../../../../../../src-main/subnets/quasar/metrics/metrics.ts';
import {
  LONGBENCH_NAMES,
  LONGBENCH_SETS,
} from '../../../../../../src-main/subnets/quasar/tasks/published/longbench-sets.ts';
import {
  framed,
  isTemplate,
  OWN_TEMPLATES,
} from '../../../../../../src-main/subnets/quasar/tasks/published/longbench-templates.ts';
import { ownTexts } from '../../../../../../src-main/subnets/quasar/tasks/published/own-texts.ts';
import { PUBLISHED_TASKS } from '../../../../../../src-main/subnets/quasar/tasks/published/published-tasks.ts';
import { SeededRandom } from '../../../../../../src-main/validation/seeded-random.ts';
import { count, folderOf, longBenchLine, open } from './support.ts';

const PLENTY = 1_000_000;
const random = (seed = 'seed') => new SeededRandom(seed);

describe('LongBench', () => {
  it('has its 21 data sets, with limits of answers that are its own', () => {
    expect(LONGBENCH_NAMES).toHaveLength(21);
    const limits = (most: number) =>
      LONGBENCH_NAMES.filter((name) => LONGBENCH_SETS[name].answerTokens === most).sort();
    expect(limits(512)).toEqual(['gov_report', 'multi_news', 'qmsum', 'vcsum']);
    expect(limits(128)).toEqual(['dureader', 'narrativeqa', 'qasper', 'samsum']);
    expect(limits(64)).toEqual(['lcc', 'lsht', 'multifieldqa_en', 'multifieldqa_zh', 'repobench-p', 'trec']);
    expect(limits(32)).toHaveLength(7);
    const firstLine = LONGBENCH_NAMES.filter((name) => 'firstLine' in LONGBENCH_SETS[name]);
    expect(firstLine).toEqual(['trec', 'triviaqa', 'samsum', 'lsht']);
    for (const name of LONGBENCH_NAMES) expect(METRICS).toHaveProperty([LONGBENCH_SETS[name].metric]);
  });

  it('has a template of ours for each, that takes nothing in a row for a slot', () => {
    for (const name of LONGBENCH_NAMES) expect(isTemplate(OWN_TEMPLATES[name]), name).toBe(true);
    const row = { context: 'a {input} b {context} $& c', input: "q {context} $' {input}" };
    const { before, context, after } = framed('X {context} Y {input}', row);
    expect([before, context, after]).toEqual(['X ', row.context, ` Y ${row.input}`]);
  });

  it('asks with the official templates and limits where they lie beside the data', async () => {
    const folder = await folderOf({
      'narrativeqa.jsonl': longBenchLine({ answers: ['she', 'the captain'] }),
      'dataset2prompt.json': JSON.stringify({ narrativeqa: 'Hear {context}, say {input}!', trec: '{context}{input}' }),
      'dataset2maxlen.json': JSON.stringify({ narrativeqa: 99 }),
    });
    const set = await open('narrativeqa', folder);
    const task = await set.task(random(), { tokens: PLENTY, count });
    expect(task).toMatchObject({
      ...{ dataset: 'narrativeqa', variant: '', context: 'It was she.', prompt: 'Hear It was she., say Who?!' },
      ...{ expected: ['she', 'the captain'], metric: 'f1', answerTokens: 99 },
      source: { file: 'narrativeqa.jsonl', row: 'a1', own: false, templates: 'official' },
    });
    const without = await open('narrativeqa', await folderOf({ 'narrativeqa.jsonl': longBenchLine() }));
    const other = await without.task(random(), { tokens: PLENTY, count });
    expect(other).toMatchObject({
      answerTokens: 128,
      source: { templates: 'own', sha256: expect.stringMatching(/^\w{64}$/) },
    });
    expect(other.prompt.startsWith('It was she.')).toBe(true);
    expect(set.source.version).not.toBe(without.source.version);
  });

  it('refuses templates that are none', async () => {
    for (const bad of [
      '{',
      '[]',
      '{"narrativeqa":"nothing"}',
      '{"narrativeqa":"{context}{context}"}',
      ' '.repeat(300_000),
    ]) {
      const folder = await folderOf({ 'narrativeqa.jsonl': longBenchLine(), 'dataset2prompt.json': bad });
      await expect(open('narrativeqa', folder), bad.slice(0, 20)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        hint: 'Fetch it again, or take it away: Quarry then asks in words of its own, and says so.',
      });
    }
  });

  it('leaves out rows that no answer could be right for', async () => {
    const lines = (name: string, ...all: object[]) =>
      all.map((one) => longBenchLine({ dataset: name, ...one })).join('\n');
    const kept = async (name: string, ...all: object[]) =>
      (await open(name, await folderOf({ [`${name}.jsonl`]: lines(name, ...all) }))).items;
    expect(await kept('trec', { all_classes: ['she'] }, { all_classes: null }, { all_classes: [] })).toBe(1);
    expect(await kept('passage_count', { answers: ['7'] }, { answers: ['seven'] })).toBe(1);
    expect(await kept('passage_retrieval_en', { answers: ['Paragraph 3'] }, { answers: ['3'] })).toBe(1);
    expect(await kept('passage_retrieval_zh', { answers: ['段落3'] }, { answers: ['Paragraph 3'] })).toBe(1);
  });

  it('says what is missing, where it comes from and where it belongs', async () => {
    const folder = await folderOf();
    const error = await open('qasper', folder).catch((found: unknown) => found);
    expect(error).toMatchObject({
      code: 'BAD_REQUEST',
      message: `«qasper.jsonl» is not in ${folder}.`,
      hint: '«quarry evaluate fetch qasper» fetches it, from https://huggingface.co/datasets/zai-org/LongBench/resolve/main/data.zip, and is called data/qasper.jsonl in it. Texts of Quarry’s own can be asked about without it (--own-texts).',
    });
  });

  it('cuts what is too long in its middle, and never what is asked', async () => {
    const set = await open('narrativeqa');
    const whole = await set.task(random(), { item: 0, tokens: PLENTY, count });
    const all = await count(whole.prompt);
    for (const tokens of [200, 500, 1_000, all - 1]) {
      const task = await set.task(random(), { item: 0, tokens, count });
      const found = await count(task.prompt);
      expect(found).toBeLessThanOrEqual(tokens);
      expect(found).toBeGreaterThan(tokens * 0.97);
      expect(task.prompt.slice(0, 60)).toBe(whole.prompt.slice(0, 60));
      expect(task.prompt.slice(-180)).toBe(whole.prompt.slice(-180));
    }
    await expect(set.task(random(), { item: 0, tokens: 20, count })).rejects.toMatchObject({
      code: 'CONTEXT_TOO_LONG',
    });
  });

  it('lets questions about one text begin alike', async () => {
    const set = await open('narrativeqa');
    const tasks = [
      await set.task(random(), { item: 0, tokens: PLENTY, count }),
      await set.task(random(), { item: 1, tokens: PLENTY, count }),
    ];
    expect(tasks[0]?.context).toBe(tasks[1]?.context);
    for (const { prompt, context } of tasks) expect(prompt.startsWith(context)).toBe(true);
  });
});

/** SHA-256 of three tasks of each of our own files. A change here means that the version of these tasks has to be raised. */
const FROZEN: Record<string, string> = {
  narrativeqa: 'f161e0f971d910addeb43c97b6eec479df4b5e4bae76fcfea1f282e62d931e1b',
  qasper: '36371847edb3b6569a74390b3be545bee775b88af80e31148a61799820eecd9d',
  multifieldqa_en: 'ef449f04c712277debf1bca2255d126aa7356a240210b25ae27c686d274f4e76',
  multifieldqa_zh: 'b14179a7e69d1954ba31909019c3ef459f5f27e614f311c2bf1a9c0e4970d37a',
  trec: '69d788bb061204beae2e23fbe26c24280fa3dfc3f8af0757e696736c1b1d26cc',
  samsum: '3a188da8aafc8ae7f2f0b56d7ccc1792696f7feff5df5de207db8ca62ff90420',
  passage_count: 'e482a24122d1ef6e2efc0db38d463eb5d9616fa633fdbf1e4f3f573787f1858b',
  passage_retrieval_en: '707fbf732b3e6753019bcd59a6d3004bb46053389fe1f2fcec522657550b3f50',
  lcc: '337d043dc128b1a61f1a1aa7191762e3aefcc46cdc00ae08aeaa381a3c39e128',
};

describe('texts of our own in the format of LongBench', () => {
  it.each(Object.keys(FROZEN))('make the same tasks of %s for ever', async (name) => {
    const set = await open(name);
    expect(set).toMatchObject({ skipped: 0, source: { own: true, templates: 'own' } });
    const tasks = [];
    for (const tokens of [250, 900, PLENTY]) tasks.push(await set.task(random(`2031-${tokens}`), { tokens, count }));
    expect(createHash('sha256').update(JSON.stringify(tasks)).digest('hex')).toBe(FROZEN[name]);
  });

  it('are known as ours wherever they lie, and not where they were changed', async () => {
    const text = await readFile(join(ownTexts(), 'trec.jsonl'), 'utf8');
    expect((await open('trec', await folderOf({ 'trec.jsonl': text }))).source.own).toBe(true);
    expect((await open('trec', await folderOf({ 'trec.jsonl': `${text}\n` }))).source.own).toBe(false);
  });

  it('are drawn evenly, by the seed alone', async () => {
    const set = await open('trec');
    const drawn = await Promise.all(
      Array.from(
        { length: 60 },
        async (_, seed) => (await set.task(random(`${seed}`), { tokens: PLENTY, count })).source?.row,
      ),
    );
    expect(new Set(drawn).size).toBe(set.items);
    const again = await set.task(random('7'), { tokens: PLENTY, count });
    expect(again.source?.row).toBe(drawn[7]);
    expect(again.classes).toHaveLength(7);
    expect(again.classes).toEqual(expect.arrayContaining([...again.expected]));
    expect(PUBLISHED_TASKS.get('trec')?.group).toBe('longbench');
  });
});
