import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';

interface AnswerProblemProps {
  answer: NonNullable<Turn['answer']>;
  onRetry?: (() => void) | undefined;
}

/** Why an answer is not whole; nothing for one that is. */
export function AnswerProblem({ answer: { state, error }, onRetry }: AnswerProblemProps) {
  const { t } = useTranslation('playground');
  if (state === 'failed') {
    const shown = error ? new QuarryError(error) : new Error(t('failed'));
    return <ErrorNote error={shown} {...(onRetry && { onRetry })} />;
  }
  if (state !== 'stopped' && state !== 'interrupted') return null;
  return (
    <Text size="sm" c="dimmed" fs="italic">
      {t(state)}
    </Text>
  );
}
