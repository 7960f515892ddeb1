import { stripVTControlCharacters } from 'node:util';
import { table } from '../terminal/output.ts';
import type { Cell, Columns } from './columns.ts';

/** Ways in which rows are written down. */
export const FORMATS = ['table', 'csv', 'markdown', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** Rows as text, piece by piece: pages of them may be many. */
export async function* rowsText<Row>(
  format: Format,
  columns: Columns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string, void, undefined> {
  if (format === 'csv') yield* csvText(columns, pages);
  else if (format === 'markdown') yield* markdownText(columns, pages);
  else if (format === 'json') yield* jsonText(pages);
  else yield await tableText(columns, pages);
}

/** As RFC 4180 has it. What begins as a formula would has a quote before it: spreadsheets run those, and answers are strangers’. */
async function* csvText<Row>(columns: Columns<Row>, pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync');
  const text = (rows: Cell[][]) => stringify(rows, { escape_formulas: true, record_delimiter: '\r\n' });
  yield text([columns.map(([head]) => head)]);
  for await (const rows of pages) yield text(cellsOf(columns, rows));
}

async function* markdownText<Row>(columns: Columns<Row>, pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  const line = (cells: readonly Cell[]) => `| ${cells.map(markdownCell).join(' | ')} |\n`;
  yield line(columns.map(([head]) => head)) + line(columns.map(() => '---'));
  for await (const rows of pages) yield cellsOf(columns, rows).map(line).join('');
}

/** In one line, and nothing in it is taken for Markdown or HTML. */
function markdownCell(cell: Cell): string {
  if (cell === '---') return cell;
  if (typeof cell !== 'string') return figure(cell);
  return cell.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&');
}

/** One list. */
async function* jsonText<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const rows of pages) {
    for (const row of rows) {
      yield `${before}${JSON.stringify(row)}`;
      before = ',\n';
    }
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function tableText<Row>(columns: Columns<Row>, pages: AsyncIterable<readonly Row[]>): Promise<string> {
  const rows: (string | number)[][] = [];
  for await (const some of pages) rows.push(...cellsOf(columns, some).map((cells) => cells.map(shown)));
  return `${stripVTControlCharacters(table([...columns.map(([head]) => head)], rows))}\n`;
}

const cellsOf = <Row>(columns: Columns<Row>, rows: readonly Row[]) =>
  rows.map((row) => columns.map(([, of]) => of(row)));
const shown = (cell: Cell) => (typeof cell === 'string' ? cell : figure(cell));
const figure = (cell: number | null) => (cell === null ? '–' : String(Number(cell.toFixed(3))));
