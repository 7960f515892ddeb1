import { useTranslation } from 'react-i18next';
import { taskName } from '../../../../src-preload/contract/task-name.ts';
import type { ResultView } from '../../../../src-preload/contract/validator-results.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { minerName } from '../miner-name.ts';
import { OUTCOME_LOOKS, outcomeOf } from './outcome.ts';

interface ResultTableProps {
  results: readonly ResultView[];
  /** Number of the result whose details stand beside the list. */
  selected: number | undefined;
  onSelect: (id: number) => void;
}

/** What was asked, the newest first: whom, what came of it, and how long that took. */
export function ResultTable({ results, selected, onSelect }: ResultTableProps) {
  const { t } = useTranslation('validator');
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('place.challenges')}>
        <thead>
          <tr>
            <th scope="col">{t('task')}</th>
            <th scope="col">{t('miner')}</th>
            <th scope="col">{t('result.outcome')}</th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('result.score')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('result.took')}
            </th>
          </tr>
        </thead>
        <tbody>
          {results.map((result) => (
            <Row
              key={result.id}
              result={result}
              selected={result.id === selected}
              onSelect={() => onSelect(result.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ result, selected, onSelect }: { result: ResultView; selected: boolean; onSelect: () => void }) {
  const format = useFormat();
  const when = useWhen();
  const { at, environment, miner, score, success, ms } = result;
  const { name, kind } = minerName(miner);
  return (
    <PickRow name={taskName(environment)} below={when(at)} selected={selected} onSelect={onSelect}>
      <td className={classes.brief} title={miner}>
        <div
          className={classes.line}
          style={{ fontFamily: kind === 'key' ? 'var(--mantine-font-family-monospace)' : undefined }}
        >
          {name}
        </div>
      </td>
      <td>
        <OutcomeChip result={result} />
      </td>
      <td className={`num ${classes.num} ${classes.wide}`}>{format.number(success ? score : 0, 2)}</td>
      <td className={`num ${classes.num} ${classes.wide}`}>{success ? format.duration(ms) : '–'}</td>
    </PickRow>
  );
}

export function OutcomeChip({ result }: { result: Pick<ResultView, 'success' | 'score'> }) {
  const { t } = useTranslation('validator');
  const outcome = outcomeOf(result);
  return <StateChip {...OUTCOME_LOOKS[outcome]}>{t(`outcome.${outcome}`)}</StateChip>;
}

/** A moment of today to the second, of other days to the minute. */
export function useWhen(): (at: number) => string {
  const format = useFormat();
  const today = new Date().setHours(0, 0, 0, 0);
  return (at) => (at >= today ? format.clock(at) : format.time(at));
}
