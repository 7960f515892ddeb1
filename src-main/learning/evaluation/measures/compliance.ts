import type { ChatMessage } from '../../../../src-preload/contract/request.ts';
import type { Answered, Verifier } from '../verifiers/verifier.ts';
import { type AnswerSettings, answerTo, type Measuring, mean } from './answers.ts';

export interface Compliance {
  /** Of each question, in their order: 0–1, and whether the answer is as it was wanted. */
  scores: number[];
  passes: boolean[];
  /** Mean of the scores. */
  mean: number;
  /** The answers themselves: for the other looks at them, and to show. */
  answers: Answered[];
}

/** Which share of answers passed, 0–1; 0 of none. */
export const passRate = (passes: readonly boolean[]): number => mean(passes.map(Number));

/** How many answers are as somebody wanted them. */
export async function measureCompliance(
  questions: readonly (readonly ChatMessage[])[],
  verifier: Verifier,
  settings: AnswerSettings,
  measuring: Measuring,
): Promise<Compliance> {
  const answers: Answered[] = [];
  const scores: number[] = [];
  const passes: boolean[] = [];
  for (const messages of questions) {
    const answer = await answerTo(messages, settings, measuring);
    const verdict = await verifier.check(answer, measuring.signal);
    answers.push(answer);
    scores.push(verdict.score);
    passes.push(verdict.passes);
  }
  return { scores, passes, mean: mean(scores), answers };
}
