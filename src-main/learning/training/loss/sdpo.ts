import { MOST_DISTANCE } from './k3.ts';
import type { LogitGradient, Logits } from './logits.ts';
import { renormalised, type TeacherTokens } from './teacher.ts';
import type { LearntToken, LossRules } from './token-loss.ts';

/** Of a token that is not among the teacher's (B4). */
const TEACHER_FLOOR = -20;
/** Beyond it a token's loss is scaled down to it, and its gradient with it: one odd token would otherwise outweigh all others. */
export const MOST_LOSS = 10;

interface Part {
  loss: number;
  gradient: LogitGradient;
}

/**
 * The SDPO loss of one token (CLaaS, B4), with the importance ratio: below a `mixture` of 1 the divergence of student and teacher from their mixture, at 1 the policy gradient of the reverse KL.
 * @param sum logSumExp of the logits
 * @param most largest loss before the ratio, in nats
 */
export function sdpo(
  logits: Logits,
  sum: number,
  { token, teacher, old }: LearntToken,
  { mixture, isClip }: Pick<LossRules, 'mixture' | 'isClip'>,
  most = MOST_LOSS,
): Part & { ratio: number } {
  const logprob = (logits[token] as number) - sum;
  const { loss, gradient } =
    mixture < 1 ? divergence(logits, sum, teacher, mixture) : policyGradient(logprob, token, teacher);
  const ratio = importance(logprob, old, isClip);
  const scale = ratio * Math.min(1, most / Math.abs(loss));
  return {
    ...{ loss: loss * scale, ratio },
    gradient: {
      softmax: gradient.softmax * scale,
      tokens: gradient.tokens,
      values: gradient.values.map((value) => value * scale),
    },
  };
}

/** How much likelier the token is now than when it was sampled; cut off above only. Nothing is learnt through it. */
function importance(logprob: number, old: number | undefined, isClip: number): number {
  if (old === undefined) return 1;
  const distance = Math.max(-MOST_DISTANCE, Math.min(MOST_DISTANCE, logprob - old));
  return Math.min(Math.exp(distance), isClip);
}

/**
 * `α KL(Q‖M) + (1−α) KL(P‖M)` with `M = α Q + (1−α) P`, over the teacher's tokens; both are renormalised over these.
 * By P its derivative is `(1−α) (log P − log M)`.
 */
function divergence(logits: Logits, sum: number, { tokens, logprobs }: TeacherTokens, mixture: number): Part {
  const teacher = renormalised(logprobs);
  const student = renormalised(tokens.map((token) => (logits[token] as number) - sum));
  let loss = 0;
  let mean = 0;
  const slopes = tokens.map((_, index) => {
    const [q, logQ] = [teacher.probabilities[index] as number, teacher.logs[index] as number];
    const [p, logP] = [student.probabilities[index] as number, student.logs[index] as number];
    const logM = Math.log(mixture * q + (1 - mixture) * p);
    if (q > 0) loss += mixture * q * (logQ - logM);
    if (p === 0) return 0; // p log p
    loss += (1 - mixture) * p * (logP - logM);
    const slope = (1 - mixture) * (logP - logM);
    mean += p * slope;
    return slope;
  });
  const p = student.probabilities;
  // Where the student's sum is too small to divide by, it is a constant, and each probability moves with all logits.
  const values = slopes.map((slope, index) => (p[index] as number) * (student.clamped ? slope : slope - mean));
  return { loss, gradient: { softmax: student.clamped ? -mean : 0, tokens, values } };
}

/** `stopgrad(p(y) − q(y)) · p(y)`, in log-probabilities of the sampled token. */
function policyGradient(logprob: number, token: number, { tokens, logprobs }: TeacherTokens): Part {
  const advantage = logprob - (logprobs[tokens.indexOf(token)] ?? TEACHER_FLOOR);
  return { loss: advantage * logprob, gradient: { softmax: -advantage, tokens: [token], values: [advantage] } };
}
