import { Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DataJob } from '../../../../src-preload/contract/data.ts';
import { Section } from '../../../components/Section.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../data.module.css';
import { JOB_LOOKS } from '../looks.ts';

/** Videos that are worked on, and how far each is. */
export function DoneNow({ jobs }: { jobs: readonly DataJob[] }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const fetchedText = ({ bytes, of }: NonNullable<DataJob['fetched']>) =>
    of === null
      ? t('doing.noSize', { done: format.bytes(bytes) })
      : t('set.doneOf', { done: format.bytes(bytes), of: format.bytes(of) });
  return (
    <Section title={t('doing.title')}>
      <ul className={classes.list}>
        {jobs.map(({ number, title, source, state, done, fetched, clips }) => {
          const { state: look, icon } = JOB_LOOKS[state];
          return (
            <li key={number} className={classes.step}>
              <span className={classes.name}>
                {title}
                <span className={classes.sub}>
                  {t('doing.sofar', {
                    source: t(`source.${source}`),
                    count: clips,
                    formatted: format.number(clips),
                  })}
                  {fetched && ` · ${fetchedText(fetched)}`}
                </span>
              </span>
              <StateChip state={look} icon={icon}>
                {done === null ? t(`job.${state}`) : `${t(`job.${state}`)} ${format.percent(done)}`}
              </StateChip>
              <Progress
                value={done === null ? 100 : done * 100}
                animated={done === null}
                size="sm"
                aria-label={t('doing.progress', { title })}
              />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
