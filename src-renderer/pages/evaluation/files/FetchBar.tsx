import { Button } from '@mantine/core';
import { IconPlayerStopFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../evaluation.module.css';
import { forgetOutcome, stopFetching, useFetching } from './fetching.ts';

/** How far fetching is, or what came of it; nothing where nobody has fetched. */
export function FetchBar() {
  const { stop, outcome, error } = useFetching();
  if (!stop && !outcome) return null;
  return (
    <div className={classes.fetch}>
      {stop && <Running />}
      {error && <ErrorNote error={error} />}
      {outcome && <Outcome outcome={outcome} hasFailed={error !== undefined} />}
    </div>
  );
}

function Running() {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const progress = useFetching((fetching) => fetching.progress);
  return (
    <section className={classes.fetch} aria-label={t('files.now')}>
      <div className={classes.nowLine}>
        <span className={classes.nowWords}>
          {progress ? `${progress.file} · ${factsOf(progress).join(' · ')}` : t('files.begins')}
        </span>
        <Button
          variant="default"
          leftSection={<IconPlayerStopFilled size={15} aria-hidden />}
          onClick={() => stopFetching()}
        >
          {t('files.stop')}
        </Button>
      </div>
      <Meter parts={[{ share: progress?.total ? progress.done / progress.total : 0 }]} />
      {progress?.problem && (
        <Note state="wait" role="status">
          {worded(progress.problem, 'message')}
        </Note>
      )}
    </section>
  );

  function factsOf({ done, total, bytesPerSecond, secondsLeft }: NonNullable<typeof progress>): string[] {
    const here = format.bytes(done);
    return [
      total === null ? here : t('files.of', { done: here, total: format.bytes(total) }),
      ...(bytesPerSecond > 0 ? [format.rate(bytesPerSecond)] : []),
      ...(secondsLeft === null ? [] : [t('files.left', { time: format.duration(1_000 * secondsLeft) })]),
    ];
  }
}

interface OutcomeProps {
  outcome: NonNullable<ReturnType<typeof useFetching.getState>['outcome']>;
  /** It ended with an error that is told beside. */
  hasFailed: boolean;
}

function Outcome({ outcome: { fetched, failed, isStopped }, hasFailed }: OutcomeProps) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const came = [
    fetched > 0 && t('files.done', { count: fetched, formatted: format.number(fetched) }),
    isStopped && t('files.stopped'),
    fetched === 0 && !isStopped && !hasFailed && failed.length === 0 && t('files.nothing'),
  ].filter(Boolean);
  return (
    <>
      {failed.map(({ file, error }) => (
        <section key={file} aria-label={t('files.failed', { file })}>
          <div className={classes.failed}>{t('files.failed', { file })}</div>
          <ErrorNote error={error} />
        </section>
      ))}
      <Note
        role="status"
        inline
        actions={
          <Button size="xs" variant="default" onClick={() => forgetOutcome()}>
            {t('files.close')}
          </Button>
        }
      >
        {came.join(' ')}
      </Note>
    </>
  );
}
