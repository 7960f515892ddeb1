import { ActionIcon, Box, Group, Paper, Stack, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../src-preload/contract/conversations.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { shortId } from '../../../src-preload/contract/limits.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useCopy } from '../../components/useCopy.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { AnswerText } from './AnswerText.tsx';

/** One turn. Only the last answer can be asked for again. */
export function TurnView({ turn, onRegenerate }: { turn: Turn; onRegenerate?: (() => void) | undefined }) {
  return turn.role === 'user' ? <Question text={turn.text} /> : <Answer turn={turn} onRegenerate={onRegenerate} />;
}

function Question({ text }: { text: string }) {
  const { t } = useTranslation('playground');
  return (
    <Box style={{ alignSelf: 'flex-end' }} maw="85%">
      <Paper px="md" py="sm" bg="var(--mantine-primary-color-light)" aria-label={t('you')} component="article">
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
      </Paper>
    </Box>
  );
}

function Answer({ turn, onRegenerate }: { turn: Turn; onRegenerate?: (() => void) | undefined }) {
  const { t } = useTranslation('playground');
  return (
    <Stack gap={6} component="article" aria-label={t('answer')}>
      {turn.text && <AnswerText text={turn.text} />}
      {turn.answer && <AnswerProblem answer={turn.answer} onRetry={onRegenerate} />}
      <Group gap="xs" wrap="nowrap">
        {turn.text && <Copy text={turn.text} />}
        {onRegenerate && (
          <Tooltip label={t('regenerate')}>
            <ActionIcon variant="subtle" color="gray" onClick={onRegenerate} aria-label={t('regenerate')}>
              <IconRefresh size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {turn.answer && <AnswerFigures answer={turn.answer} />}
      </Group>
    </Stack>
  );
}

function Copy({ text }: { text: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  const label = t(copied ? 'action.copied' : 'action.copy');
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={label}>
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

type Figures = NonNullable<Turn['answer']>;

/** Who answered, how fast, and what it cost. */
function AnswerFigures({ answer }: { answer: Figures }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const { target, worker, model, tokens, tokensPerSecond, firstTokenMs, totalMs, paid } = answer;
  const credits = paid.reduce((sum, one) => sum + one.credits, 0);
  const sources = new Set(paid.map(({ from }) => worded({ from, said: { from: { key: `paid.${from}` } } }, 'from')));
  const nobody = target === 'mesh' ? t('byNobody') : t('byThisComputer');
  const parts = [
    worker ? t('byWorker', { worker: shortId(worker) }) : nobody,
    model,
    tokens > 0 && t('tokens', { count: tokens, formatted: format.number(tokens) }),
    tokensPerSecond && t('tokensPerSecond', { formatted: format.number(tokensPerSecond, 1) }),
    firstTokenMs !== null && t('firstToken', { time: format.duration(firstTokenMs) }),
    totalMs !== null && t('total', { time: format.duration(totalMs) }),
    paid.length > 0 && t('cost', { count: credits, formatted: format.number(credits), from: format.list(sources) }),
  ];
  return (
    <Text size="xs" c="dimmed" title={worker ?? undefined} miw={0} style={{ overflowWrap: 'anywhere' }}>
      {parts.filter(Boolean).join(' · ')}
    </Text>
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
    <Text size="sm" c="dimmed" fs="italic">
      {t(state)}
    </Text>
  );
}
