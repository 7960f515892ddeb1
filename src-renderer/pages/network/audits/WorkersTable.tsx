import { useTranslation } from 'react-i18next';
import type { AuditCalibrationView } from '../../../../src-preload/contract/audits.ts';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import table from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import classes from './audits.module.css';
import type { AuditsView, JudgedAudit } from './use-audits.ts';
import { useMean } from './use-measure.ts';
import { VerdictChip } from './VerdictChip.tsx';
import { MEASURES, thresholdsAt } from './verdict.ts';

interface WorkersTableProps {
  rows: readonly JudgedAudit[];
  view: AuditsView;
  nameOf: (model: string) => string;
  selected: string | undefined;
  onSelect: (key: string) => void;
}

/** Workers with the files that they declare: what is to be said of each, how much was looked at, and the three means beside what honest ones stay below. */
export function WorkersTable({ rows, view, nameOf, selected, onSelect }: WorkersTableProps) {
  const { t } = useTranslation('audits');
  return (
    <div className={table.list}>
      <table className={table.table} aria-label={t('table.title')}>
        <thead>
          <tr>
            <th scope="col">{t('table.worker')}</th>
            <th scope="col">{t('table.verdict')}</th>
            <th scope="col" className={`${table.num} ${table.wide}`}>
              {t('table.tokens')}
            </th>
            {MEASURES.map((measure) => (
              <th key={measure} scope="col" className={`${table.num} ${table.wide}`} title={t(`measure.${measure}`)}>
                {t(`short.${measure}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.key}
              row={row}
              file={nameOf(row.audit.model)}
              calibration={view.calibrations.find(({ model }) => model === row.audit.model)}
              selected={row.key === selected}
              onSelect={() => onSelect(row.key)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  row: JudgedAudit;
  file: string;
  calibration: AuditCalibrationView | undefined;
  selected: boolean;
  onSelect: () => void;
}

function Row({ row: { audit, verdict }, file, calibration, selected, onSelect }: RowProps) {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const mean = useMean();
  const limits = thresholdsAt(calibration, audit.tokens);
  return (
    <PickRow
      name={shortId(audit.worker)}
      title={audit.worker}
      fit="short"
      below={file}
      selected={selected}
      onSelect={onSelect}
    >
      <td>
        <VerdictChip verdict={verdict} />
        {audit.newcomerUntil !== null && (
          <span className={`${table.sub} ${classes.nowrap}`}>
            {t('newcomerUntil', { day: format.day(audit.newcomerUntil) })}
          </span>
        )}
      </td>
      <td className={`num ${table.num} ${table.wide}`}>
        {format.number(audit.tokens)}
        <span className={`${table.sub} ${classes.nowrap}`}>{format.relative(audit.at)}</span>
      </td>
      {MEASURES.map((measure) => {
        const isOver = limits !== undefined && audit[measure] > limits[measure];
        return (
          <td key={measure} className={`num ${table.num} ${table.wide}`}>
            <span style={isOver ? { color: 'var(--q-error)', fontWeight: 600 } : undefined}>
              {mean(measure, audit[measure])}
            </span>
            {limits && (
              <span className={table.sub}>{t('table.below', { threshold: mean(measure, limits[measure]) })}</span>
            )}
          </td>
        );
      })}
    </PickRow>
  );
}
