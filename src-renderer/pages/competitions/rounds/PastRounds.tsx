import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CompetitionRound } from '../../../../src-preload/contract/competition.ts';
import tableClasses from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import type { State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../competitions.module.css';
import { useChosenRound } from '../use-competition.ts';

const LOOKS: Record<CompetitionRound['state'], State> = { open: 'good', judging: 'wait', ended: 'idle' };

/** All rounds, the newest first; those that have ended show their board when they are pressed. */
export function PastRounds({ rounds, shown }: { rounds: readonly CompetitionRound[]; shown: number | undefined }) {
  const { t } = useTranslation('competitions');
  const format = useFormat();
  return (
    <div className={tableClasses.list}>
      <table className={tableClasses.table} aria-label={t('past.title')}>
        <thead>
          <tr>
            <th scope="col">{t('past.round')}</th>
            <th scope="col">{t('past.ends')}</th>
            <th scope="col" className={tableClasses.num}>
              {t('past.submissions')}
            </th>
            <th scope="col">{t('past.state')}</th>
          </tr>
        </thead>
        <tbody>
          {rounds.map(({ round, state, endsAt, submissions }) => (
            <tr key={round} className={tableClasses.row} data-selected={round === shown || undefined}>
              <th scope="row" className={classes.line}>
                {state === 'ended' ? (
                  <Anchor component="button" size="sm" onClick={() => useChosenRound.setState({ round })}>
                    {t('past.show', { round })}
                  </Anchor>
                ) : (
                  t('past.show', { round })
                )}
              </th>
              <td>{format.time(endsAt)}</td>
              <td className={tableClasses.num}>
                {format.number(Object.values(submissions).reduce((sum, count) => sum + count, 0))}
              </td>
              <td>
                <StateChip state={LOOKS[state]}>{t(`past.is.${state}`)}</StateChip>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
