import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../src-preload/contract/conversations.ts';
import { shortId, useFormat } from '../../i18n/format.ts';

type Figures = NonNullable<Turn['answer']>;

/** Who answered, and how fast. */
export function AnswerFigures({ answer }: { answer: Figures }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const { worker, model, tokens, tokensPerSecond, firstTokenMs, totalMs } = answer;
  const parts = [
    worker ? t('byWorker', { worker: shortId(worker) }) : t('byThisComputer'),
    model,
    tokens > 0 && t('tokens', { count: tokens, formatted: format.number(tokens) }),
    tokensPerSecond && t('tokensPerSecond', { formatted: format.number(tokensPerSecond, 1) }),
    firstTokenMs !== null && t('firstToken', { time: format.duration(firstTokenMs) }),
    totalMs !== null && t('total', { time: format.duration(totalMs) }),
  ];
  return (
    <Text size="xs" c="dimmed" title={worker ?? undefined}>
      {parts.filter(Boolean).join(' · ')}
    </Text>
  );
}
