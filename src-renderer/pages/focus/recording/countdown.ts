const SECOND_MS = 1_000;

/**
 * Counts down from three. @param tell given the seconds that are left
 * @returns whether it came to its end: not where it was called off
 */
export async function countDown(tell: (seconds: number) => void, signal: AbortSignal): Promise<boolean> {
  for (let seconds = 3; seconds > 0 && !signal.aborted; seconds--) {
    tell(seconds);
    await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
  }
  return !signal.aborted;
}
