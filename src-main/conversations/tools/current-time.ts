/**
 * The date and time in words of a program: year first, weekday, time, and how far from UTC.
 * @param at Unix milliseconds
 * @param timezone of the IANA list. Default: the computer's own
 * @throws Error that tells a model what is wrong
 */
export function currentTime(at: number, timezone?: string): string {
  const timeZone = timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const parts = new Map(partsOf(at, timeZone).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  const time = `${part('hour')}:${part('minute')}:${part('second')}`;
  return `${part('weekday')}, ${date}, ${time} (${timeZone}, ${part('timeZoneName')})`;
}

function partsOf(at: number, timeZone: string): Intl.DateTimeFormatPart[] {
  const date = { year: 'numeric', month: '2-digit', day: '2-digit', weekday: 'long' } as const;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...date, ...time, timeZone, timeZoneName: 'longOffset' }).formatToParts(
      at,
    );
  } catch (cause) {
    throw new Error('There is no such time zone: it has to be like «Europe/Berlin».', { cause });
  }
}
