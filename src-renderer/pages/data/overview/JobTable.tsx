import { ActionIcon } from '@mantine/core';
import { IconRefresh, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DataJob } from '../../../../src-preload/contract/data.ts';
import { api } from '../../../api/client.ts';
import { tellError } from '../../../components/errors/tell-error.ts';
import tableClasses from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../data.module.css';
import { JOB_LOOKS } from '../looks.ts';
import { refreshJobs } from '../use-data.ts';

/** Videos, how far each is and why; what failed or was skipped is tried again, what is not at its end is taken out. */
export function JobTable({ jobs }: { jobs: readonly DataJob[] }) {
  const { t } = useTranslation('data');
  return (
    <div className={tableClasses.list}>
      <table className={tableClasses.table} aria-label={t('jobs.title')}>
        <thead>
          <tr>
            <th scope="col">{t('jobs.video')}</th>
            <th scope="col">{t('jobs.state')}</th>
            <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
              {t('jobs.clips')}
            </th>
            <th scope="col" aria-label={t('jobs.actions')} />
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <JobRow key={job.number} job={job} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function JobRow({ job }: { job: DataJob }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const { title, source, topic, state, reason, clips, changedAt } = job;
  const { state: look, icon } = JOB_LOOKS[state];
  return (
    <>
      <tr className={reason ? tableClasses.noted : undefined}>
        <th scope="row" className={tableClasses.brief}>
          <span className={tableClasses.name}>{title}</span>
          <span className={tableClasses.sub}>
            {[t(`source.${source}`), topic, format.time(changedAt)].filter(Boolean).join(' · ')}
          </span>
        </th>
        <td>
          <StateChip state={look} icon={icon}>
            {t(`job.${state}`)}
          </StateChip>
        </td>
        <td className={`${tableClasses.num} ${tableClasses.wide}`}>{format.number(clips)}</td>
        <td className={tableClasses.num}>
          <JobAction job={job} />
        </td>
      </tr>
      {reason && (
        <tr className={tableClasses.note}>
          <td colSpan={4} className={classes.reason}>
            {worded(reason, 'text')}
          </td>
        </tr>
      )}
    </>
  );
}

function JobAction({ job: { number, title, state } }: { job: DataJob }) {
  const { t } = useTranslation('data');
  const changed = { onSettled: refreshJobs, onError: (error: unknown) => tellError(error) };
  const retry = useMutation(api.data.retry.mutationOptions(changed));
  const cancel = useMutation(api.data.cancel.mutationOptions(changed));
  if (state === 'done') return null;
  const isOver = state === 'failed' || state === 'skipped';
  const does = isOver ? retry : cancel;
  const Icon = isOver ? IconRefresh : IconX;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      loading={does.isPending}
      aria-label={t(isOver ? 'jobs.retry' : 'jobs.cancel', { title })}
      title={t(isOver ? 'jobs.retryIt' : 'jobs.cancelIt')}
      onClick={() => does.mutate({ number })}
    >
      <Icon size={15} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
