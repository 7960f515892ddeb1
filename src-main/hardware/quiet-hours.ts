/** A daily span of local time in minutes after midnight; it crosses midnight when it ends before it begins. */
export interface QuietSpan {
  from: number;
  until: number;
}

const PATTERN = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/**
 * Reads a span as people write it: «22:00-07:00».
 *
 * @returns undefined when it is not one, or ends where it begins (would that mean never, or always?)
 */
export function parseQuietHours(text: string): QuietSpan | undefined {
  const [, fromHour, fromMinute, untilHour, untilMinute] = PATTERN.exec(text) ?? [];
  if (!fromHour || !fromMinute || !untilHour || !untilMinute) return undefined;
  const span = { from: minutes(fromHour, fromMinute), until: minutes(untilHour, untilMinute) };
  return span.from === span.until ? undefined : span;
}

/** Whether a minute of the day lies in the span; its end does not belong to it. */
export function isQuiet(minute: number, { from, until }: QuietSpan): boolean {
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/** Minutes after midnight, local time. */
export function minuteOfDay(time: number): number {
  const date = new Date(time);
  return date.getHours() * 60 + date.getMinutes();
}

function minutes(hour: string, minute: string): number {
  return Number(hour) * 60 + Number(minute);
}
