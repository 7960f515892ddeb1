/** Pixels, as the look has them: above the plot, beside the figures at its left, below it. */
const ABOVE = 14;
const LEAST_GUTTER = 26;
const BESIDE_FIGURES = 8;
/** Of a digit at 11.5 px; all are as wide as the widest. */
const DIGIT = 7.2;
const LABELS = 21;
const STRIP = 37;
/** The newest value's dot is as wide, and is not cut off where the chart ends at a panel's edge. */
export const DOT = 4;

/** Where things stand in a chart, in pixels from its upper left corner. */
export interface Plot {
  width: number;
  /** Of all, labels included. */
  height: number;
  left: number;
  right: number;
  top: number;
  /** Where the lowest line is: 0, or what is below it. */
  bottom: number;
  /** The lower line of the strip for payments; where there is none, `bottom`. */
  base: number;
  y(value: number): number;
}

interface Measures {
  width: number;
  /** Of the plot alone. */
  height: number;
  maximum: number;
  /** Default 0. */
  minimum?: number;
  /** What is written at the horizontal lines. */
  figures: readonly string[];
  /** Whether payments are shown below the plot. */
  strip: boolean;
}

export function plotOf({ width, height, maximum, minimum = 0, figures, strip }: Measures): Plot {
  const bottom = ABOVE + height;
  const base = bottom + (strip ? STRIP : 0);
  const figuresWidth = DIGIT * Math.max(0, ...figures.map(({ length }) => length));
  return {
    width,
    height: base + LABELS,
    left: figures.length > 0 ? Math.ceil(Math.max(LEAST_GUTTER, figuresWidth + BESIDE_FIGURES)) : 0,
    right: Math.max(1, width - DOT),
    top: ABOVE,
    bottom,
    base,
    y: (value) => bottom - (height * (Math.max(minimum, Math.min(value, maximum)) - minimum)) / (maximum - minimum),
  };
}
