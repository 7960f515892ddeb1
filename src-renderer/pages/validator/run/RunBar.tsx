import { Anchor, Button } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPlay, IconPlayerStopFilled, IconUserSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { RunStateView } from '../../../../src-preload/contract/validator-run.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import type { State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../validator.module.css';
import type { LiveRun } from './use-run.ts';

const LOOKS: Record<RunStateView['status'], State> = { running: 'good', stopping: 'wait', stopped: 'idle' };

interface RunBarProps {
  run: LiveRun;
  /** Whether to begin is what one does here. Default true */
  primary?: boolean;
}

/** Whether miners are asked, why not, and the one button that begins and ends it. */
export function RunBar({ run: { state, error, again }, primary = true }: RunBarProps) {
  const { t } = useTranslation('validator');
  const start = useMutation(api.validator.start.mutationOptions());
  const stop = useMutation(api.validator.stop.mutationOptions());
  const isOn = state?.status === 'running';
  const act = isOn ? stop : start;
  const Icon = isOn ? IconPlayerStopFilled : IconPlayerPlay;
  const isBusy = act.isPending || state?.status === 'stopping';
  return (
    <section className={classes.run} aria-label={t('run.title')}>
      <div className={classes.runLine}>
        {state && <StateChip state={LOOKS[state.status]}>{t(`run.${state.status}`)}</StateChip>}
        <span className={classes.runWords}>{state && <Words state={state} />}</span>
        <Button
          variant={isOn || !primary ? 'default' : 'filled'}
          leftSection={<Icon size={15} stroke={1.6} aria-hidden />}
          disabled={!state}
          loading={isBusy}
          onClick={() => act.mutate(undefined)}
        >
          {t(isOn ? 'run.stop' : 'run.start')}
        </Button>
      </div>
      <Trouble state={state} />
      <ErrorNote error={act.error} />
      <ErrorNote error={error} onRetry={again} />
    </section>
  );
}

function Words({ state }: { state: RunStateView }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const { status, since, answered, failed, notReached, minerCount, takenOver } = state;
  if (status === 'stopped') return t('run.what');
  const parts = [
    since !== null && t('run.since', { time: format.time(since) }),
    t('run.miners', { count: minerCount, formatted: format.number(minerCount) }),
    t('run.answers', { count: answered, formatted: format.number(answered) }),
    failed > 0 && t('run.unanswered', { formatted: format.number(failed) }),
    notReached > 0 && t('run.notReached', { formatted: format.number(notReached) }),
    takenOver > 0 && t('run.takenOver', { formatted: format.number(takenOver) }),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** What keeps it from going on, and that there is nobody to ask. */
function Trouble({ state }: { state: RunStateView | undefined }) {
  const { t } = useTranslation('validator');
  if (state?.fault) {
    return (
      <Note state="pause" icon={IconAlertTriangle} title={worded(state.fault, 'text')} role="status">
        {t('run.goesOn')}
      </Note>
    );
  }
  if (state?.status !== 'running' || state.minerCount > 0) return null;
  return (
    <Note icon={IconUserSearch} title={t('run.nobody')} role="status">
      <Anchor href="#/validator/miners" inherit underline="always">
        {t('run.addOne')}
      </Anchor>
    </Note>
  );
}
