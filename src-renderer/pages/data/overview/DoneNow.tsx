import { Progress } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { DataJob } from '../../../../src-preload/contract/data.ts';
import { Section } from '../../../components/Section.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../data.module.css';
import { JOB_LOOKS } from '../looks.ts';

/** Videos that are worked on, and how far each is; behind them the clips that are looked at anew. @param reckoning how far that is, 0 to 1; null while it rests */
export function DoneNow({ jobs, reckoning }: { jobs: readonly DataJob[]; reckoning: number | null }) {
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
        {reckoning !== null && <Reckoning done={reckoning} />}
      </ul>
    </Section>
  );
}

function Reckoning({ done }: { done: number }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  return (
    <li className={classes.step}>
      <span className={classes.name}>
        {t('doing.anew')}
        <span className={classes.sub}>{t('doing.anewMeans')}</span>
      </span>
      <StateChip state="wait" icon={IconRefresh}>
        {format.percent(done)}
      </StateChip>
      <Progress value={done * 100} size="sm" aria-label={t('doing.anewProgress')} />
    </li>
  );
}
