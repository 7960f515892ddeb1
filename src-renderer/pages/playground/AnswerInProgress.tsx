import { Group, Loader, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../src-preload/contract/limits.ts';
import { useFormat } from '../../i18n/format.ts';
import { AnswerText } from './AnswerText.tsx';
import type { RunningAnswer } from './answers.ts';

/** The answer that is coming: where it stands, then its words. */
export function AnswerInProgress({ answer }: { answer: RunningAnswer }) {
  const { t } = useTranslation('playground');
  const { text, restarted } = answer;
  return (
    <Stack gap={6} component="article" aria-label={t('answer')}>
      {restarted && (
        <Text size="sm" c="dimmed">
          {t('restarted', { reason: restarted })}
        </Text>
      )}
      {text && <AnswerText text={text} growing />}
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm" c="dimmed">
          <Stage answer={answer} />
        </Text>
      </Group>
    </Stack>
  );
}

function Stage({ answer: { stage, worker, position = 0, etaMs = 0 } }: { answer: RunningAnswer }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const name = worker ? shortId(worker) : '';
  switch (stage) {
    case 'asking':
      return t('stage.asking');
    case 'chosen':
      return t('stage.chosen', { worker: name });
    case 'queued': {
      if (etaMs === 0) return t('stage.chosen', { worker: name }); // a place is free
      const place = format.number(position + 1);
      return t('stage.queued', { worker: name, place, time: format.duration(etaMs) });
    }
    case 'writing':
      return name ? t('stage.writingBy', { worker: name }) : t('stage.writing');
  }
}
