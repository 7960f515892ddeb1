import { useTranslation } from 'react-i18next';
import type { OwnEntry } from '../../../../src-preload/contract/competition.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { entryLook } from './entry-looks.ts';

interface EntryTableProps {
  entries: readonly OwnEntry[];
  /** Its id. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** Own submissions, each by its file. */
export function EntryTable({ entries, selected, onSelect }: EntryTableProps) {
  const { t } = useTranslation('competitions');
  const format = useFormat();
  return (
    <div className={tableClasses.list}>
      <table className={tableClasses.table} aria-label={t('entry.list')}>
        <thead>
          <tr>
            <th scope="col">{t('entry.file')}</th>
            <th scope="col" className={tableClasses.wide}>
              {t('entry.tokens')}
            </th>
            <th scope="col" className={tableClasses.num}>
              {t('entry.speed')}
            </th>
            <th scope="col">{t('entry.state')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => {
            const { state, icon, word } = entryLook(entry);
            const { median } = entry.measured?.ratio ?? {};
            return (
              <PickRow
                key={entry.id}
                name={entry.name}
                below={t('entry.inRound', { round: entry.countsIn ?? entry.round, time: format.time(entry.createdAt) })}
                selected={entry.id === selected}
                onSelect={() => onSelect(entry.id)}
              >
                <td className={tableClasses.wide}>{format.number(entry.tokens)}</td>
                <td className={tableClasses.num}>{median === undefined ? '–' : `${format.number(median, 2)}×`}</td>
                <td>
                  <StateChip state={state} icon={icon}>
                    {entry.place === null ? t(`is.${word}`) : t('entry.placed', { place: entry.place })}
                  </StateChip>
                </td>
              </PickRow>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
