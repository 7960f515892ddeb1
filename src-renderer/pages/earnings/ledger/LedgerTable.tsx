import { useTranslation } from 'react-i18next';
import type { CreditEntry } from '../../../../src-preload/contract/credits.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { useKindName } from './kinds.ts';

interface LedgerTableProps {
  entries: readonly CreditEntry[];
  /** Number of the entry whose details stand beside the list. */
  selected: number | undefined;
  onSelect: (seq: number) => void;
}

/** Entries of the ledger, newest first: what happened, and what it changed. */
export function LedgerTable({ entries, selected, onSelect }: LedgerTableProps) {
  const { t } = useTranslation('earnings');
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('ledger.title')}>
        <thead>
          <tr>
            <th scope="col">{t('ledger.details')}</th>
            <th scope="col" className={classes.wide}>
              {t('ledger.time')}
            </th>
            <th scope="col" className={classes.num}>
              {t('ledger.credits')}
            </th>
            <th scope="col" className={classes.num}>
              {t('ledger.points')}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.seq} entry={entry} selected={entry.seq === selected} onSelect={() => onSelect(entry.seq)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ entry, selected, onSelect }: { entry: CreditEntry; selected: boolean; onSelect: () => void }) {
  const format = useFormat();
  const kindName = useKindName();
  const { at, kind, amount, points } = entry;
  const happened = worded(entry, 'happened');
  const below = (
    <>
      {kindName(kind)}
      <span className={classes.slim}> · {format.time(at)}</span>
    </>
  );
  return (
    <PickRow name={happened || kindName(kind)} fit="line" below={below} selected={selected} onSelect={onSelect}>
      <td className={`num ${classes.wide} ${classes.when}`}>{format.time(at)}</td>
      <Change value={amount} />
      <Change value={points} earned />
    </PickRow>
  );
}

/** What an entry changed; points that were earned are gold. */
function Change({ value, earned = false }: { value: number; earned?: boolean }) {
  const format = useFormat();
  const colour = value === 0 ? 'var(--q-ink-3)' : earned && value > 0 ? 'var(--q-ore)' : undefined;
  return (
    <td className={`num ${classes.num}`} style={{ color: colour, fontWeight: value === 0 ? undefined : 550 }}>
      {format.signed(value)}
    </td>
  );
}
