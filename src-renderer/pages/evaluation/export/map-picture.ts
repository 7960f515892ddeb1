import { accuracyOf } from '../../../../src-preload/contract/evaluation-cells.ts';
import { heatColour, heatInk } from '../map/heat.ts';
import type { Spot } from '../map/map-cells.ts';

/** What is in a picture, in words already. */
export interface PictureWords {
  title: string;
  /** Below the title. */
  about: string;
  /** What is at the left, and what below. */
  rows: string;
  columns: string;
  noRoom: string;
}

export interface PictureRow {
  name: string;
  spots: readonly Spot[];
}

const CELL = { width: 72, height: 40, gap: 2 };
const MARGIN = 24;
const HEAD = 78;
const NAMES = 190;
const INK = { strong: '#121917', text: '#46514d', none: '#eff2f1' };

/** A needle map as a picture of its own, light, that needs nothing else. @returns SVG, and how large it is in pixels */
export function mapPicture(
  words: PictureWords,
  lengths: readonly string[],
  rows: readonly PictureRow[],
): { svg: string; width: number; height: number } {
  const width = Math.max(560, 2 * MARGIN + NAMES + lengths.length * (CELL.width + CELL.gap));
  const height = HEAD + 26 + rows.length * (CELL.height + CELL.gap) + 40;
  const x = (column: number) => MARGIN + NAMES + column * (CELL.width + CELL.gap);
  const y = (row: number) => HEAD + 26 + row * (CELL.height + CELL.gap);
  const parts = [
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(MARGIN, 38, words.title, { size: 18, weight: 600, fill: INK.strong }),
    text(MARGIN, 60, words.about, { size: 13 }),
    text(MARGIN, HEAD + 16, words.rows, { size: 12 }),
    ...lengths.map((length, column) =>
      text(x(column) + CELL.width / 2, HEAD + 16, length, { size: 12, anchor: 'middle' }),
    ),
    ...rows.flatMap(({ name, spots }, row) => [
      text(MARGIN, y(row) + 25, name, { size: 13, fill: INK.strong }),
      ...spots.map((spot, column) => cell(spot, x(column), y(row), words.noRoom)),
    ]),
    text(x(0), y(rows.length) + 18, words.columns, { size: 12 }),
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter, system-ui, sans-serif">${parts.join('')}</svg>`;
  return { svg, width, height };
}

function cell({ sum, state }: Spot, x: number, y: number, noRoom: string): string {
  const share = accuracyOf(sum);
  const fill = share === undefined ? INK.none : heatColour(share, 'light');
  const ink = share === undefined ? INK.text : heatInk(share, 'light');
  const shown = share === undefined ? (state === 'noRoom' ? noRoom : '·') : String(Math.round(100 * share));
  const at = {
    size: share === undefined ? 11 : 13,
    weight: share === undefined ? 400 : 600,
    fill: ink,
    anchor: 'middle',
  } as const;
  return `<rect x="${x}" y="${y}" width="${CELL.width}" height="${CELL.height}" rx="4" fill="${fill}"/>${text(x + CELL.width / 2, y + 25, shown, at)}`;
}

interface TextLooks {
  size: number;
  weight?: number;
  fill?: string;
  anchor?: 'start' | 'middle';
}

function text(
  x: number,
  y: number,
  content: string,
  { size, weight = 400, fill = INK.text, anchor = 'start' }: TextLooks,
) {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

function escaped(content: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return content.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
