/** What an answer about a context of up to so many tokens is worth, beside one about a short context (QUASAR, reward by context). */
const MULTIPLIERS: readonly { upTo: number; multiplier: number }[] = [
  { upTo: 32_000, multiplier: 1 },
  { upTo: 124_000, multiplier: 1.2 },
  { upTo: 512_000, multiplier: 1.5 },
  { upTo: 1_500_000, multiplier: 1.8 },
  { upTo: Number.POSITIVE_INFINITY, multiplier: 2 },
];

export interface Reward {
  /** What the metric says, 0 to 1. It stands beside the reward: half right about two million tokens earns as much as all right about thirty thousand. */
  accuracy: number;
  multiplier: number;
  /** 0 to 1. */
  reward: number;
}

/** @param contextTokens as the model’s own tokenizer counts them */
export function multiplierOf(contextTokens: number): number {
  return MULTIPLIERS.find(({ upTo }) => contextTokens <= upTo)?.multiplier ?? 1;
}

/** What an answer earns: min(1, accuracy × multiplier) (QUASAR, reward by context). @param accuracy 0 to 1 */
export function rewardOf(accuracy: number, contextTokens: number): Reward {
  const multiplier = multiplierOf(contextTokens);
  return { accuracy, multiplier, reward: Math.min(1, accuracy * multiplier) };
}
