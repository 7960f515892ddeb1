import { Button } from '@mantine/core';
import { IconAlertTriangle, IconWifiOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { tellError } from '../../../components/errors/tell-error.ts';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { useAdding } from '../../../state/adding-model.ts';
import { useSecondsUntil } from './use-seconds-until.ts';

interface DownloadProblemProps {
  download: Download;
  problem: NonNullable<Download['problem']>;
}

/** What holds a download up, and every way out: wait, try now, use a file, take another model. */
export function DownloadProblem({ download, problem }: DownloadProblemProps) {
  const { t } = useTranslation('models');
  const { name, state, adapter } = download;
  const offline = state === 'offline';
  const when = useWhen(download);
  const tryNow = useMutation(api.models.tryNow.mutationOptions({ onError: (error) => tellError(error) }));
  const title = offline ? `${t('downloads.offline')} ${when ?? ''}`.trim() : worded(problem, 'message');
  const text = worded(problem, 'hint') ?? (offline ? worded(problem, 'message') : undefined);
  const waits = offline || state === 'failed';
  const actions = waits && (
    <>
      <Button size="xs" variant="default" loading={tryNow.isPending} onClick={() => tryNow.mutate({ name })}>
        {t('downloads.tryNow')}
      </Button>
      {!adapter && (
        <>
          <Button size="xs" variant="default" onClick={() => useAdding.setState({ by: 'file' })}>
            {t('downloads.useFile')}
          </Button>
          <Button size="xs" variant="default" component="a" href="#/models/catalogue">
            {t('downloads.another')}
          </Button>
        </>
      )}
    </>
  );
  return (
    <Note
      state={offline ? 'wait' : state === 'failed' ? 'error' : 'pause'}
      icon={offline ? IconWifiOff : IconAlertTriangle}
      title={title}
      actions={actions}
      {...(state === 'failed' && { role: 'alert' })}
    >
      {text}
    </Note>
  );
}

/** «Trying again in 24 s»; undefined where it does not try again by itself. */
function useWhen({ state, nextTryAt }: Download): string | undefined {
  const { t } = useTranslation('models');
  const format = useFormat();
  const seconds = useSecondsUntil(nextTryAt);
  if (state !== 'offline') return undefined;
  return seconds > 0 ? t('downloads.nextTry', { time: format.duration(seconds * 1_000) }) : t('downloads.triesNow');
}
