import { Button, Progress, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DesktopState } from '../../../src-preload/contract/desktop.ts';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { worded } from '../../i18n/worded.ts';
import { useNode } from '../../state/node.ts';
import classes from './settings.module.css';

/** Which version this is, whether there is a newer one, and the way to it. */
export function AppUpdate({ desktop: { available, update } }: { desktop: DesktopState }) {
  const { t } = useTranslation('settings');
  const version = useNode(({ status }) => status?.version);
  const refresh = () => queryClient.invalidateQueries({ queryKey: api.desktop.key() });
  const check = useMutation(api.desktop.checkForUpdate.mutationOptions({ onSettled: refresh }));
  const install = useMutation(api.desktop.installUpdate.mutationOptions());
  const busy = update.state === 'checking' || update.state === 'downloading';
  return (
    <>
      <div role="status">
        <Text size="sm">{t('update.version', { version: version ?? '–' })}</Text>
        <Text size="sm" c="var(--q-ink-3)">
          {t(`update.state.${update.state}`, { version: update.version ?? '' })}
        </Text>
        {update.message && (
          <Text size="sm" c="var(--q-ink-3)">
            {worded(update, 'message')}
          </Text>
        )}
      </div>
      {update.percent !== undefined && <Progress value={update.percent} aria-label={t('update.progress')} />}
      <div className={classes.buttons}>
        <Button
          variant="default"
          disabled={!available || update.state === 'off' || busy}
          loading={check.isPending}
          onClick={() => check.mutate(undefined)}
        >
          {t('update.check')}
        </Button>
        {update.state === 'ready' && (
          <Button loading={install.isPending} onClick={() => install.mutate(undefined)}>
            {t('update.install')}
          </Button>
        )}
      </div>
      <ErrorNote error={check.error ?? install.error} />
    </>
  );
}
