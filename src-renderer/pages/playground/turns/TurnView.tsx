import { Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { MAX_TOOL_ROUNDS } from '../../../../src-preload/contract/built-in-tools.ts';
import type { Turn } from '../../../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { Feedback } from '../../../../src-preload/contract/learning.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { AnswerFeedback, FeedbackActs } from '../feedback/AnswerFeedback.tsx';
import { useAnswerFeedback } from '../feedback/use-answer-feedback.ts';
import { SourceList } from '../files/SourceList.tsx';
import classes from '../playground.module.css';
import type { RunningAnswer } from '../state/answers.ts';
import { answerPieces } from '../tools/answer-pieces.ts';
import { ToolUseLine } from '../tools/ToolUseLine.tsx';
import { AnswerFoot } from './AnswerFoot.tsx';
import { AnswerProgress } from './AnswerProgress.tsx';
import { AnswerText } from './AnswerText.tsx';
import { Question } from './Question.tsx';
import { Act, Copy, type TurnActs, Versions } from './TurnActs.tsx';

interface TurnViewProps {
  turn: Turn;
  /** The turn is the answer that is coming: all that is known of it. */
  running?: RunningAnswer | undefined;
  acts: TurnActs | undefined;
  /** What was said of answers of this conversation. */
  said: readonly Feedback[];
  /** Only the last answer can be asked for again. */
  last: boolean;
}

/** One turn. */
export function TurnView({ turn, running, acts, said, last }: TurnViewProps) {
  if (turn.role === 'user') return <Question turn={turn} acts={acts} />;
  return (
    <Answer turn={turn} running={running} acts={acts} said={said} onRegenerate={last ? acts?.regenerate : undefined} />
  );
}

interface AnswerProps extends Pick<TurnViewProps, 'turn' | 'running' | 'acts' | 'said'> {
  onRegenerate: (() => void) | undefined;
}

/** The same while it comes and when it is there: what was read of it is not read again at its end. */
function Answer({ turn, running, acts, said, onRegenerate }: AnswerProps) {
  const { t } = useTranslation('playground');
  const uses = running ? running.uses : turn.answer?.uses;
  const sources = running ? running.sources : turn.answer?.sources;
  const pieces = answerPieces(running ? running.text : turn.text, uses);
  return (
    <article aria-label={t('answer')}>
      {pieces.map((piece, place) =>
        'use' in piece ? (
          <ToolUseLine key={place} use={piece.use} running={running !== undefined} />
        ) : (
          <AnswerText key={place} text={piece.text} growing={running !== undefined && place === pieces.length - 1} />
        ),
      )}
      {uses?.some(({ round }) => round >= MAX_TOOL_ROUNDS) && (
        <Text size="sm" c="var(--q-ink-3)">
          {t('tools.enough', { rounds: MAX_TOOL_ROUNDS })}
        </Text>
      )}
      {sources && <SourceList sources={sources} />}
      {running ? (
        <AnswerProgress answer={running} />
      ) : (
        <AnswerEnd turn={turn} acts={acts} said={said} onRegenerate={onRegenerate} />
      )}
    </article>
  );
}

/** Below an answer that is there: why it is not whole, its figures, and what can be done with it. */
function AnswerEnd({ turn, acts, said, onRegenerate }: AnswerProps) {
  const { t } = useTranslation('playground');
  const feedback = useAnswerFeedback(turn, { said, isPrivate: acts?.isPrivate ?? false });
  return (
    <>
      {turn.answer && <AnswerProblem answer={turn.answer} onRetry={onRegenerate} />}
      <div className={classes.foot}>
        {turn.answer && <AnswerFoot answer={turn.answer} />}
        <span className={classes.acts}>
          <Versions turn={turn} onShow={acts?.show} />
          {acts && feedback && <FeedbackActs feedback={feedback} />}
          {turn.text && <Copy text={turn.text} />}
          {onRegenerate && <Act icon={IconRefresh} label={t('regenerate')} onClick={onRegenerate} />}
        </span>
      </div>
      {feedback && <AnswerFeedback feedback={feedback} text={turn.text} />}
    </>
  );
}

interface AnswerProblemProps {
  answer: NonNullable<Turn['answer']>;
  onRetry?: (() => void) | undefined;
}

/** Why an answer is not whole; nothing for one that is. */
function AnswerProblem({ answer: { state, error }, onRetry }: AnswerProblemProps) {
  const { t } = useTranslation('playground');
  if (state === 'failed') {
    const shown = error ? new QuarryError(error) : new Error(t('failed'));
    return <ErrorNote error={shown} {...(onRetry && { onRetry })} />;
  }
  if (state !== 'stopped' && state !== 'interrupted') return null;
  return (
    <Text size="sm" c="var(--q-ink-3)">
      {t(state)}
    </Text>
  );
}
