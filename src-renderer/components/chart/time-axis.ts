const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[15 * SECOND, 30 * SECOND],
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 8, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 10, 14, 20, 28, 56, 91, 182, 364].map((days) => days * DAY),
];

/** How a time is written: with seconds where the same minute would stand there twice, as a day where an hour says little. */
export type TimeStyle = 'seconds' | 'minutes' | 'days';

export function timeStyle(spanMs: number): TimeStyle {
  if (spanMs < 4 * MINUTE) return 'seconds';
  return spanMs <= 36 * HOUR ? 'minutes' : 'days';
}

/**
 * Round times by this computer's clock, rising, all from `from` to `to`; those of a moving span stay where they are.
 *
 * @param most at most so many
 */
export function roundTimes(from: number, to: number, most: number): number[] {
  const step = STEPS.find((one) => Math.floor((to - from) / one) <= most) ?? Number.POSITIVE_INFINITY;
  if (!(to > from) || !Number.isFinite(step)) return [];
  const times: number[] = [];
  for (const at of step < DAY ? timesOfDay(from, step) : days(from, step / DAY)) {
    if (at > to) break;
    if (at >= from) times.push(at);
  }
  return times.slice(-most);
}

/** Counted from midnight in hours and minutes, not in milliseconds: one day a year has 23 hours, one has 25. */
function* timesOfDay(from: number, step: number): Generator<number> {
  const first = new Date(from);
  const [year, month, day] = [first.getFullYear(), first.getMonth(), first.getDate()];
  const passed = from - new Date(year, month, day).getTime();
  for (let count = Math.max(0, Math.floor((passed - 2 * HOUR) / step)); ; count++) {
    yield new Date(year, month, day, 0, 0, 0, count * step).getTime();
  }
}

/** Every so many days, counted from a day that is always the same. */
function* days(from: number, every: number): Generator<number> {
  const first = new Date(from);
  const [year, month, day] = [first.getFullYear(), first.getMonth(), first.getDate()];
  const number = Math.floor(Date.UTC(year, month, day) / DAY);
  for (let later = (every - (number % every)) % every; ; later += every) {
    yield new Date(year, month, day + later).getTime();
  }
}

/** `count` of `length` things at most, evenly spread, the first and the last among them. */
export function spread(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, index) => index);
  if (count < 2) return [length - 1];
  return Array.from({ length: count }, (_, index) => Math.round((index * (length - 1)) / (count - 1)));
}
