import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../welcome.module.css';
import { CancelDownload } from './CancelDownload.tsx';
import { rests } from './choices.ts';

/** A download on its way: how far, how fast, how long yet, and what can be done with it. */
export function DownloadCard({ download, title }: { download: Download; title?: string | undefined }) {
  const { t } = useTranslation(['welcome', 'common']);
  const [asking, ask] = useDisclosure();
  const pause = useMutation(api.models.pause.mutationOptions());
  const resume = useMutation(api.models.resume.mutationOptions());
  const tryNow = useMutation(api.models.tryNow.mutationOptions());
  const { name, state, problem } = download;
  const stands = rests(download);
  return (
    <section aria-label={t('download.label', { name })}>
      <div className={classes.name} style={{ justifyContent: 'space-between' }}>
        <h2 className={classes.heading}>{title ?? name}</h2>
        <span role="status" style={{ fontSize: 13, fontWeight: 400 }}>
          {t(`download.state.${state}`)}
        </span>
      </div>
      <HowFar download={download} />
      {problem && (
        <Note
          state={stands ? 'error' : 'pause'}
          icon={IconAlertTriangle}
          title={worded(problem, 'message')}
          role="alert"
        >
          {worded(problem, 'hint')} {state === 'failed' && t('download.failedHelp')}
        </Note>
      )}
      <ErrorNote error={pause.error ?? resume.error ?? tryNow.error} />
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, marginTop: 12 }}>
        {state === 'offline' && (
          <Button variant="default" loading={tryNow.isPending} onClick={() => tryNow.mutate({ name })}>
            {t('common:connection.tryNow')}
          </Button>
        )}
        {stands ? (
          <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate({ name })}>
            {t(state === 'failed' ? 'common:error.retry' : 'download.resume')}
          </Button>
        ) : (
          <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate({ name })}>
            {t('download.pause')}
          </Button>
        )}
        <Button variant="subtle" color="gray" c="var(--q-ink-2)" onClick={ask.open}>
          {t('download.cancel')}
        </Button>
      </div>
      <CancelDownload download={download} opened={asking} onClose={ask.close} />
    </section>
  );
}

function HowFar({ download }: { download: Download }) {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  const { name, state, bytes, received, bytesPerSecond, secondsLeft, sources, nextTryAt } = download;
  const share = bytes ? received / bytes : 0;
  const moving = state === 'downloading';
  const wait = useSecondsUntil(nextTryAt);
  const facts = [
    bytes === null
      ? format.bytes(received)
      : t('download.received', {
          received: format.bytes(received),
          bytes: format.bytes(bytes),
          share: format.percent(share),
        }),
    moving && format.rate(bytesPerSecond),
    moving && secondsLeft !== null && t('download.left', { time: format.duration(secondsLeft * 1_000) }),
    moving && sources.length > 0 && t('download.from', { sources: sources.join(', ') }),
    wait > 0 && t('download.nextTry', { time: format.duration(wait * 1_000) }),
  ];
  return (
    <div
      role="progressbar"
      aria-label={t('download.label', { name })}
      aria-valuenow={Math.round(100 * share)}
      style={{ margin: '4px 0 12px' }}
    >
      <Meter parts={[{ share }]} />
      <p className={classes.small} style={{ margin: '6px 0 0' }}>
        {facts.filter(Boolean).join(' · ')}
      </p>
    </div>
  );
}

/** Whole seconds until a moment, counted down; 0 when it is over or there is none. */
function useSecondsUntil(at: number | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (at === null) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [at]);
  return at === null ? 0 : Math.max(0, Math.ceil((at - now) / 1_000));
}
