/** What a model thinks of all tokens of its vocabulary at one place, before they are made probabilities. */
export type Logits = Float32Array;

/** Natural logarithm of the sum of the exponentials; subtracted from a logit it leaves the token's log-probability. */
export function logSumExp(logits: Logits): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let token = 0; token < logits.length; token++) largest = Math.max(largest, logits[token] as number);
  let sum = 0;
  for (let token = 0; token < logits.length; token++) sum += Math.exp((logits[token] as number) - largest);
  return largest + Math.log(sum);
}

/**
 * The derivative of a loss by the logits: `softmax` times all tokens' probabilities, and besides that something at single tokens. Every loss of ours has this form.
 */
export interface LogitGradient {
  softmax: number;
  tokens: readonly number[];
  /** One for each of `tokens`; a token may be there more than once. */
  values: readonly number[];
}

/** Writes the gradient, times `weight`, over the logits that it is of. @param sum their {@link logSumExp} */
export function overwriteWithGradient(logits: Logits, sum: number, gradient: LogitGradient, weight: number): void {
  const { softmax, tokens, values } = gradient;
  const factor = softmax * weight;
  if (factor === 0) logits.fill(0);
  else {
    for (let token = 0; token < logits.length; token++) {
      logits[token] = factor * Math.exp((logits[token] as number) - sum);
    }
  }
  for (const [index, token] of tokens.entries()) {
    logits[token] = (logits[token] as number) + weight * (values[index] as number);
  }
}
