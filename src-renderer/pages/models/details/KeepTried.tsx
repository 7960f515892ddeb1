import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { settingValue, useSetSettings } from '../../../state/settings.ts';
import type { FitAt } from './use-fit-at.ts';

/** Keeps what was tried, for every model of this node; says when it takes effect. */
export function KeepTried({ at: { tried } }: { at: FitAt }) {
  const { t } = useTranslation('models');
  const { data } = useAnswer(api.settings.list.queryOptions());
  const set = useSetSettings();
  const changes = Object.entries(tried);
  const waits = data?.settings.some(({ path, waitsForRestart }) => KEPT.includes(path) && waitsForRestart);
  const isKept = changes.every(([path, value]) => settingValue(data, path) === value);
  return (
    <>
      {!isKept && (
        <Button
          size="xs"
          variant="default"
          loading={set.isPending}
          onClick={() => set.mutate({ changes: tried as Record<string, unknown> })}
        >
          {t('tried.keep')}
        </Button>
      )}
      {(waits || !isKept) && (
        <Text size="xs" c="dimmed" mt={isKept ? 0 : 8} role="status">
          {t(isKept ? 'tried.waits' : 'tried.effect')}
        </Text>
      )}
      <ErrorNote error={set.error} />
    </>
  );
}

const KEPT = ['contextSize', 'gpuLayers'];
