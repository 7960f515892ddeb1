const DAY_MS = 86_400_000;

/** Whole days from one moment to another (Unix milliseconds); 0 where a clock was set back. */
export function daysSince(at: number, now: number): number {
  return Math.max(0, Math.floor((now - at) / DAY_MS));
}
