const STEPS = [2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144];

/** Tokens of context to choose between: what is usual up to the most that the model takes, and what is set now. */
export function contextSteps(most: number, now: number): number[] {
  const steps = new Set([...STEPS.filter((step) => step < most), most, now].filter((step) => step > 0 && step <= most));
  return [...steps].sort((a, b) => a - b);
}
