/** The midnights where the machine stands that began the last days, oldest first; the last one is today's. */
export function midnights(now: number, days: number): number[] {
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  // Counted by the calendar: days with a change of the clocks have 23 or 25 hours.
  return Array.from({ length: days }, (_, index) => new Date(year, month, day - days + 1 + index).getTime());
}
