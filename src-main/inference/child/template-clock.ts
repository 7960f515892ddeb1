/** The time that a chat template is told, by the letters of `strftime`. */
export type TemplateClock = Record<'Y' | 'm' | 'd' | 'b' | 'B' | 'H' | 'M', string>;

/** Under this name a template is given its {@link TemplateClock}. */
export const CLOCK = 'quarry_clock';

/**
 * In the place of the `strftime_now` that readers of templates bring: theirs is of now, in the time zone and the language of the computer, so that two computers,
 * or one on two days, make two prompts of the same question. The line's end is no part of what the template says.
 */
const STRFTIME_NOW = `{% macro strftime_now(format) %}{{ format${[...'YmdbBHM']
  .map((letter) => `|replace('%${letter}', ${CLOCK}.${letter})`)
  .join('')} }}{% endmacro %}
`;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** The latest moment that a Date can hold. */
const LATEST = 8.64e15;

/** A template that is told its time by the {@link CLOCK}, if it wants to know it. */
export function withClock(template: string): string {
  return template.includes('strftime_now') ? STRFTIME_NOW + template : template;
}

/** @param askedAt Unix milliseconds, told in UTC; undefined: now, in the time zone of this computer */
export function clockAt(askedAt: number | undefined): TemplateClock {
  const date = new Date(askedAt === undefined ? localNow() : Math.min(askedAt, LATEST));
  const two = (value: number) => String(value).padStart(2, '0');
  const month = MONTHS[date.getUTCMonth()] ?? '';
  return {
    Y: String(date.getUTCFullYear()),
    m: two(date.getUTCMonth() + 1),
    d: two(date.getUTCDate()),
    b: month.slice(0, 3),
    B: month,
    H: two(date.getUTCHours()),
    M: two(date.getUTCMinutes()),
  };
}

/** What a UTC clock would have to show so that it showed the time here. */
function localNow(): number {
  const now = new Date();
  return now.getTime() - now.getTimezoneOffset() * 60_000;
}
