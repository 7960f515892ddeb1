import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, it, onTestFinished } from 'vitest';
import { ANSWERS, CELLS } from '../../../../src-main/cli/evaluation/columns.ts';
import { registerShow, show } from '../../../../src-main/cli/evaluation/show.ts';
import { type Format, rowsText } from '../../../../src-main/cli/evaluation/table-text.ts';
import { makeFile } from '../../../../src-main/cli/terminal/take-file.ts';
import { writePieces } from '../../../../src-main/cli/terminal/write-pieces.ts';
import type { EvaluationAnswerView, EvaluationCellView } from '../../../../src-preload/contract/evaluation.ts';
import { commandContext } from '../../../support/command-context.ts';

const CELL: EvaluationCellView = {
  ...{ suite: 'needle', variant: 'number, middle', length: 4_000, asked: 3, answered: 2, score: 1.5, depth: 0.5 },
  ...{ band: 'middle', firstMs: 120.25, totalMs: 130, promptTokensPerSecond: null },
};
const ANSWER: EvaluationAnswerView = {
  ...{ text: 0, question: 0, suite: 'needle', variant: 'number, middle', length: 4_000, words: 3_000, depth: 0.5 },
  ...{ answer: 'It is 7.', error: null, score: 1, promptTokens: 3_990, cachedTokens: 0, answerTokens: 4 },
  ...{ firstMs: 120, totalMs: 130, at: 0 },
};

async function* pagesOf<Row>(...pages: Row[][]) {
  yield* pages;
}

async function written(format: Format, ...answers: string[]): Promise<string> {
  let text = '';
  const rows = answers.map((answer) => ({ ...ANSWER, answer }));
  for await (const piece of rowsText(format, ANSWERS, pagesOf(rows))) text += piece;
  return text;
}

it('quotes what is between commas, in quotes or in several lines', async () => {
  const text = await written('csv', 'one, "two"\nthree');
  expect(text.split('\r\n')).toHaveLength(3);
  expect(text).toContain(',"one, ""two""\nthree",');
});

it.each(['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
  'keeps %j from being a formula',
  async (answer) => {
    const text = await written('csv', answer);
    expect(text).not.toContain(`,${answer},`);
    expect(text).toMatch(/,"?'/);
  },
);

it('lets nothing of an answer be taken for Markdown, HTML or another row', async () => {
  const text = await written('markdown', 'a | b\n| c | <img src=x> [d](javascript:e) `f`');
  expect(text.trimEnd().split('\n')).toHaveLength(3);
  expect(text).toContain('a \\| b \\| c \\| \\<img src=x\\> \\[d\\]\\(javascript:e\\) \\`f\\`');
});

it('makes one list of pages of answers, and an empty one of none', async () => {
  const two = rowsText('json', ANSWERS, pagesOf([ANSWER], [{ ...ANSWER, text: 1 }]));
  let text = '';
  for await (const piece of two) text += piece;
  expect(JSON.parse(text)).toEqual([ANSWER, { ...ANSWER, text: 1 }]);
  expect(JSON.parse(await written('json'))).toEqual([]);
});

it('tells the share of those that were answered, and nothing where nobody could', async () => {
  let text = '';
  const none = { ...CELL, answered: 0, score: 0 };
  for await (const piece of rowsText('csv', CELLS, pagesOf([CELL, none]))) text += piece;
  const [, one, other] = text.split('\r\n');
  expect(one).toBe('needle,"number, middle",4000,middle,3,2,0.75,0.5,120.25,130,');
  expect(other).toBe('needle,"number, middle",4000,middle,3,0,,0.5,120.25,130,');
});

it('writes a file as a whole or not at all, and over none that is there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-show-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'a.csv');
  await writePieces(texts('one\n', 'two\n'), { file, force: false });
  expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
  await expect(writePieces(texts('other'), { file, force: false })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const fails = async () => {
    throw new Error('amid it');
  };
  await expect(makeFile({ file, force: true }, fails)).rejects.toThrow('amid it');
  expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
  await writeFile(file, 'more');
  await writePieces(texts('new'), { file, force: true });
  expect(await readFile(file, 'utf8')).toBe('new');
});

async function* texts(...pieces: string[]) {
  yield* pieces;
}

it('takes formats that there are, and no others', () => {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  registerShow(program);
  expect(() => program.parse(['node', 'quarry', 'show', 'a', '--as', 'xml'])).toThrow(/table, csv, markdown, json/);
});

it('says below the sums what has to be known of them', async () => {
  const remark = { text: 'It only babbles.' };
  const watch = async function* () {
    yield { id: 'a', cells: [CELL], remark };
  };
  const { context, lines } = commandContext({ evaluation: { watch } });
  context.output.json = false;
  await show(context, 'a', {});
  expect(lines.join('\n')).toMatch(/75\.0 %[\s\S]*\n\nIt only babbles\.$/);
});

it('shows the newest where none is named, and says what to do where there is none', async () => {
  const node = (...ids: string[]) => ({
    list: async () => ids.map((id) => ({ id })),
    async *watch({ id }: { id: string }) {
      yield { id, cells: [{ ...CELL, suite: id }], remark: null };
    },
  });
  const shown = async (id: string | undefined, ...ids: string[]) => {
    const { context, lines } = commandContext({ evaluation: node(...ids) });
    context.output.json = false;
    await show(context, id, { as: 'table' });
    return lines.join('\n');
  };
  expect(await shown(undefined, 'new', 'old')).toContain('new: number, middle');
  expect(await shown('old', 'new', 'old')).toContain('old: number, middle');
  await expect(shown(undefined)).rejects.toThrow('Nothing was evaluated yet.');
});
