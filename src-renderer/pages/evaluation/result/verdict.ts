import { IconCheck, IconCircleHalf2, IconMinus, IconX } from '@tabler/icons-react';
import type { EvaluationAnswerView } from '../../../../src-preload/contract/evaluation.ts';
import type { State } from '../../../components/state.ts';

/** What an answer was worth, in a word. */
export type Verdict = 'right' | 'partly' | 'wrong' | 'unanswered';

const LOOKS: Record<Verdict, { state: State; icon: typeof IconCheck }> = {
  right: { state: 'good', icon: IconCheck },
  partly: { state: 'wait', icon: IconCircleHalf2 },
  wrong: { state: 'error', icon: IconX },
  unanswered: { state: 'idle', icon: IconMinus },
};

/** Scores of words in common hardly ever are whole: what is nearly all is right. */
const RIGHT = 0.995;
const WRONG = 0.005;

export function verdictOf({ answer, score }: Pick<EvaluationAnswerView, 'answer' | 'score'>) {
  const verdict = answer === null ? 'unanswered' : score >= RIGHT ? 'right' : score <= WRONG ? 'wrong' : 'partly';
  return { verdict, ...LOOKS[verdict] } as const;
}
