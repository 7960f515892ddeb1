import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useSetSettings } from '../../../state/settings.ts';

interface BeginningProps {
  /** `isWaiting`: there is feedback. `tried`: what was tried is not in use. `how`: nothing was said yet. */
  next: 'isWaiting' | 'tried' | 'how';
}

/** Nothing that was learnt is in use: what will be here, and how to begin. */
export function Beginning({ next }: BeginningProps) {
  const { t } = useTranslation('learning');
  return (
    <EmptyState title={t(next === 'tried' ? 'beginning.noneInUse' : 'beginning.title')}>
      <Text size="sm" maw={560}>
        {t(`beginning.${next}`)}
      </Text>
      {next !== 'isWaiting' && (
        <Button component="a" href="#/playground">
          {t('beginning.open')}
        </Button>
      )}
    </EmptyState>
  );
}

/** Answers are not kept, so there is nothing that feedback could be about. */
export function KeepsNothing() {
  const { t } = useTranslation('learning');
  const set = useSetSettings();
  return (
    <EmptyState title={t('off.title')}>
      <Text size="sm" maw={560}>
        {t('off.what')}
      </Text>
      <Button loading={set.isPending} onClick={() => set.mutate({ changes: { 'learning.keep': true } })}>
        {t('off.turnOn')}
      </Button>
      <ErrorNote error={set.error} />
    </EmptyState>
  );
}
