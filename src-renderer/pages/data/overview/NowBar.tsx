import { Button } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DataState } from '../../../../src-preload/contract/data.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { worded } from '../../../i18n/worded.ts';
import classes from '../data.module.css';
import { MINING_LOOKS } from '../looks.ts';

/** How looking for clips stands and why, and what can be done about it. */
export function NowBar({ state }: { state: DataState }) {
  const { t } = useTranslation('data');
  const stop = useMutation(api.data.stop.mutationOptions());
  const resume = useMutation(api.data.resume.mutationOptions());
  const { mining, fault } = state;
  const { state: look, icon } = MINING_LOOKS[mining];
  return (
    <section className={classes.now} aria-label={t('now.title')}>
      <div className={classes.nowLine}>
        <span role="status">
          <StateChip state={look} icon={icon}>
            {t(`now.state.${mining}`)}
          </StateChip>
        </span>
        <span className={classes.nowWords}>
          <Words state={state} />
        </span>
        {mining === 'off' && leftToDo(state) > 0 && (
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
            loading={resume.isPending}
            onClick={() => resume.mutate(undefined)}
          >
            {t('now.goOn')}
          </Button>
        )}
        {mining !== 'off' && (
          <Button
            variant="default"
            leftSection={<IconPlayerStopFilled size={15} aria-hidden />}
            disabled={mining === 'ending'}
            loading={stop.isPending}
            onClick={() => stop.mutate(undefined)}
          >
            {t('now.stop')}
          </Button>
        )}
      </div>
      {fault && (
        <Note state="pause" icon={IconAlertTriangle}>
          {worded(fault, 'text')}
        </Note>
      )}
      <ErrorNote error={stop.error ?? resume.error} />
    </section>
  );
}

function Words({ state }: { state: DataState }) {
  const { t } = useTranslation('data');
  const { mining, order } = state;
  if (mining === 'off') return t(leftToDo(state) > 0 ? 'now.left' : 'now.nothing');
  if (order && (mining === 'searching' || mining === 'working')) return t(`now.${mining}`, { topic: order.topic });
  return t(`now.${mining}Plain`);
}

/** Videos that are neither done nor given up. */
function leftToDo({ jobs }: DataState): number {
  return jobs.waiting + jobs.fetching + jobs.cutting + jobs.describing;
}
