import type { ChatMessage } from '../../../../src-preload/contract/request.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { AskedAnswers } from '../../asked.ts';
import { plain, type Verifier } from './verifier.ts';

export interface TeacherView {
  asked: Pick<AskedAnswers, 'score'>;
  /** What was asked, as the teacher is asked it: with the feedback before its eyes. */
  withFeedback: (messages: readonly ChatMessage[]) => readonly ChatMessage[];
}

/** A margin of so many nats a token is a score of .73: differences of style move a few tokens of an answer by several nats each. */
const SCALE = 0.1;
/** What the noise of quantised sums alone makes of it (design: mean |Δ| of the same file by another road is .02). */
const LEAST_MARGIN = 0.02;

/**
 * Whether an answer is more what the model would say that has read the feedback than what it says without: the mean over tokens of log p(answer |
 * question, feedback) − log p(answer | question), both without adapter. For feedback of which no rule can be made; it tells that answers went the way of
 * the feedback, not that they are right.
 */
export function likenessVerifier({ asked, withFeedback }: TeacherView): Verifier {
  return {
    async check({ text, messages = [] }, signal) {
      if (text === '') return plain(false, say('evaluation.length.empty'));
      const { logprobs: taught } = await asked.score(withFeedback(messages), text, { signal });
      const { logprobs: untaught } = await asked.score(messages, text, { signal });
      const gains = taught.map((logprob, at) => logprob - (untaught[at] ?? 0));
      const margin = gains.reduce((sum, gain) => sum + gain, 0) / Math.max(1, gains.length);
      const score = 1 / (1 + Math.exp(-margin / SCALE));
      return { score, passes: margin > LEAST_MARGIN, why: say('evaluation.likeness', { margin: margin.toFixed(3) }) };
    },
  };
}
