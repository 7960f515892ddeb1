/** Pixels that a letter takes at most, on the mean, at 11.5 px. */
const LETTER = 6.4;
/** Pixels between two labels. */
const GAP = 14;
/** Pixels beside a text in a place of its own. */
const PADDING = 4;

/** How wide a text will be, roughly: nothing is measured, so nothing is laid out twice. */
export function textWidth(text: string): number {
  return text.length * LETTER;
}

export interface Label {
  /** Pixels: where in the chart that is which it tells of. */
  x: number;
  text: string;
}

export interface PlacedLabel extends Label {
  anchor: 'start' | 'middle' | 'end';
}

/**
 * Puts labels under a chart: each in the middle below its place, but none over the chart's edges, and none into another.
 *
 * @param labels those that matter most first; what finds no room is left out
 * @returns from left to right
 */
export function placeLabels(labels: readonly Label[], left: number, right: number): PlacedLabel[] {
  const taken: { from: number; to: number }[] = [];
  const placed: PlacedLabel[] = [];
  for (const { x, text } of labels) {
    const width = textWidth(text);
    const from = Math.max(left, Math.min(x - width / 2, right - width));
    const to = from + width;
    if (width > right - left || taken.some((other) => from < other.to + GAP && to > other.from - GAP)) continue;
    taken.push({ from, to });
    if (x - width / 2 < left) placed.push({ text, x: left, anchor: 'start' });
    else if (x + width / 2 > right) placed.push({ text, x: right, anchor: 'end' });
    else placed.push({ text, x, anchor: 'middle' });
  }
  return placed.sort((one, other) => one.x - other.x);
}

/** The longest of some wordings, the longest first, that fits into `width` pixels; undefined if none does. */
export function wordingFor(wordings: readonly (string | undefined)[], width: number): string | undefined {
  return wordings.find((wording) => wording !== undefined && textWidth(wording) + 2 * PADDING <= width);
}
