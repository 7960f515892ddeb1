import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconRefresh, type TablerIcon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useCopy } from '../../components/useCopy.ts';
import { AnswerFoot } from './AnswerFoot.tsx';
import { AnswerText } from './AnswerText.tsx';
import classes from './playground.module.css';

/** One turn. Only the last answer can be asked for again. */
export function TurnView({ turn, onRegenerate }: { turn: Turn; onRegenerate?: (() => void) | undefined }) {
  return turn.role === 'user' ? <Question text={turn.text} /> : <Answer turn={turn} onRegenerate={onRegenerate} />;
}

function Question({ text }: { text: string }) {
  const { t } = useTranslation('playground');
  return (
    <article className={classes.question} aria-label={t('you')}>
      <div className={classes.bubble}>{text}</div>
    </article>
  );
}

function Answer({ turn, onRegenerate }: { turn: Turn; onRegenerate?: (() => void) | undefined }) {
  const { t } = useTranslation('playground');
  return (
    <article aria-label={t('answer')}>
      {turn.text && <AnswerText text={turn.text} />}
      {turn.answer && <AnswerProblem answer={turn.answer} onRetry={onRegenerate} />}
      <div className={classes.foot}>
        {turn.answer && <AnswerFoot answer={turn.answer} />}
        <span className={classes.acts}>
          {turn.text && <Copy text={turn.text} />}
          {onRegenerate && <Act icon={IconRefresh} label={t('regenerate')} onClick={onRegenerate} />}
        </span>
      </div>
    </article>
  );
}

function Copy({ text }: { text: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <Act icon={copied ? IconCheck : IconCopy} label={t(copied ? 'action.copied' : 'action.copy')} onClick={copy} />
  );
}

/** Something that can be done with a turn: an icon with a name. */
function Act({ icon: Icon, label, onClick }: { icon: TablerIcon; label: string; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" onClick={onClick} aria-label={label}>
        <Icon size={15} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
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
