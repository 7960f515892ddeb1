import type { Objective } from '../../../../src-preload/contract/learning-runs.ts';
import { distillation } from './distillation.ts';
import { divergenceFromBase } from './k3.ts';
import { type LogitGradient, type Logits, logSumExp } from './logits.ts';
import { sdpo } from './sdpo.ts';
import type { TeacherTokens } from './teacher.ts';

/** A token of a response, and what is known of its place. */
export interface LearntToken {
  token: number;
  teacher: TeacherTokens;
  /** Natural-log probabilities: when it was sampled, and under the model without adapter. */
  old?: number | undefined;
  base?: number | undefined;
}

/** Which loss, and its settings (see TrainerSettings). */
export interface LossRules {
  objective: Objective;
  mixture: number;
  isClip: number;
  klWeight: number;
}

/** What one token costs, in nats, and how that changes with the logits. */
export interface TokenLoss {
  /** The objective's own part, with the importance ratio. */
  distill: number;
  /** k3 estimate of the KL from the model without adapter, unweighted; 0 where that is not known. */
  kl: number;
  /** Importance ratio; 1 for objectives without. */
  ratio: number;
  /** Of `distill + klWeight · kl`. */
  gradient: LogitGradient;
  /** {@link logSumExp} of the logits. */
  sum: number;
}

/** The loss of one token under the student's logits at its place. */
export function tokenLoss(logits: Logits, token: LearntToken, rules: LossRules): TokenLoss {
  const sum = logSumExp(logits);
  const { loss, ratio, gradient } =
    rules.objective === 'sdpo'
      ? sdpo(logits, sum, token, rules)
      : { ...distillation(logits, sum, token.teacher), ratio: 1 };
  const base = divergenceFromBase((logits[token.token] as number) - sum, token.base);
  const slope = rules.klWeight * base.slope;
  return {
    ...{ distill: loss, kl: base.kl, ratio, sum },
    // The derivative of a log-probability by the logits: 1 at its own token, less all probabilities.
    gradient: {
      softmax: gradient.softmax - slope,
      tokens: [...gradient.tokens, token.token],
      values: [...gradient.values, slope],
    },
  };
}
