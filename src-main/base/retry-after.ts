/**
 * What a `Retry-After` header asks for (RFC 9110, 10.2.3: seconds, or a date), in milliseconds from now; undefined for
 * anything else. A time that has passed is 0.
 *
 * @param now Unix milliseconds
 * @param mostMs a server may not send us away for longer
 */
export function parseRetryAfter(value: string | null | undefined, now: number, mostMs: number): number | undefined {
  if (!value) return undefined;
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(mostMs, Math.max(0, ms));
}
