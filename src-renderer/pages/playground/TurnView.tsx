import { Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { AnswerFoot } from './AnswerFoot.tsx';
import { AnswerText } from './AnswerText.tsx';
import classes from './playground.module.css';
import { Question } from './Question.tsx';
import { Act, Copy, type TurnActs, Versions } from './TurnActs.tsx';

interface TurnViewProps {
  turn: Turn;
  acts: TurnActs | undefined;
  /** Only the last answer can be asked for again. */
  last: boolean;
}

/** One turn. */
export function TurnView({ turn, acts, last }: TurnViewProps) {
  return turn.role === 'user' ? (
    <Question turn={turn} acts={acts} />
  ) : (
    <Answer turn={turn} acts={acts} onRegenerate={last ? acts?.regenerate : undefined} />
  );
}

interface AnswerProps extends Pick<TurnViewProps, 'turn' | 'acts'> {
  onRegenerate: (() => void) | undefined;
}

function Answer({ turn, acts, onRegenerate }: AnswerProps) {
  const { t } = useTranslation('playground');
  return (
    <article aria-label={t('answer')}>
      {turn.text && <AnswerText text={turn.text} />}
      {turn.answer && <AnswerProblem answer={turn.answer} onRetry={onRegenerate} />}
      <div className={classes.foot}>
        {turn.answer && <AnswerFoot answer={turn.answer} />}
        <span className={classes.acts}>
          <Versions turn={turn} onShow={acts?.show} />
          {turn.text && <Copy text={turn.text} />}
          {onRegenerate && <Act icon={IconRefresh} label={t('regenerate')} onClick={onRegenerate} />}
        </span>
      </div>
    </article>
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
