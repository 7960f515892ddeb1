/** Steps that people read easily, times a power of ten. */
const STEPS = [1, 2, 3, 4, 5, 8, 10];
/** So many steps stand above 0: with it they make four lines. */
const PARTS = 3;
/** A maximum that was chosen stays while the highest value fills more of it than this. */
const LEAST_FILL = 0.4;
const MOST_DIGITS = 6;

/**
 * The least round number that is not below `highest` and comes apart in three round steps; 3 where there is nothing to measure.
 *
 * @param whole the steps are whole numbers: half a request would be nonsense
 */
export function niceMaximum(highest: number, whole = false): number {
  if (!(highest > 0)) return PARTS;
  const rough = highest / PARTS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find((step) => step * power >= rough * (1 - 1e-9)) ?? 10;
  return tidy(PARTS * Math.max(whole ? 1 : 0, factor * power));
}

/** The maximum to show after `held`: another one only if the values no longer fit, or leave most of the chart empty. */
export function steadyMaximum(held: number | undefined, highest: number, whole = false): number {
  const fits = held !== undefined && highest <= held && highest > held * LEAST_FILL;
  return fits ? held : niceMaximum(highest, whole);
}

/** Where the horizontal lines stand, 0 first. A given maximum like 100 comes apart in quarters, if those are rounder. */
export function gridValues(maximum: number): number[] {
  const parts = digitsOf(maximum / PARTS) <= digitsOf(maximum / 4) ? PARTS : 4;
  return Array.from({ length: parts + 1 }, (_, index) => tidy((maximum * index) / parts));
}

/** How many digits after the point a step needs to be written truly; 6 at most. */
export function digitsOf(step: number): number {
  for (let digits = 0; digits < MOST_DIGITS; digits++) {
    const shifted = step * 10 ** digits;
    if (Math.abs(shifted - Math.round(shifted)) < 1e-9 * Math.max(1, shifted)) return digits;
  }
  return MOST_DIGITS;
}

/** 0.30000000000000004 as 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
