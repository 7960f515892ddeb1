import type { LogitGradient, Logits } from './logits.ts';
import { renormalised, type TeacherTokens } from './teacher.ts';

/**
 * Forward KL `Σ Q (log Q − log p)` over the teacher's likeliest tokens. Q is the teacher, renormalised over these; p is the student over its whole vocabulary, **not** renormalised: so
 * what it gives to tokens that the teacher does not think of costs it, too.
 * @param sum logSumExp of the logits
 */
export function distillation(
  logits: Logits,
  sum: number,
  { tokens, logprobs }: TeacherTokens,
): { loss: number; gradient: LogitGradient } {
  const { probabilities, logs, clamped } = renormalised(logprobs);
  const total = clamped ? probabilities.reduce((all, one) => all + one, 0) : 1;
  const loss = tokens.reduce((all, token, index) => {
    const [probability, log] = [probabilities[index] as number, logs[index] as number];
    return all + probability * (log - (logits[token] as number) + sum);
  }, 0);
  return { loss, gradient: { softmax: total, tokens, values: probabilities.map((one) => -one) } };
}
