import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AuditCalibrationView, WorkerAuditView } from '../../../../src-preload/contract/audits.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from './audits.module.css';
import { useMean } from './use-measure.ts';
import { MEASURES, thresholdsAt } from './verdict.ts';

interface MeansTableProps {
  audit: WorkerAuditView;
  calibration: AuditCalibrationView | undefined;
}

/** Its three means, and beside them what honest workers stay below after so many tokens: the column that counts now is marked. */
export function MeansTable({ audit, calibration }: MeansTableProps) {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const mean = useMean();
  const counts = thresholdsAt(calibration, audit.tokens);
  const columns = calibration?.thresholds ?? [];
  return (
    <>
      <table className={classes.means}>
        <caption>
          <VisuallyHidden>{t('inspector.caption')}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('inspector.mean')}</th>
            {columns.map(({ tokens }) => (
              <th key={tokens} scope="col" data-counts={tokens === counts?.tokens || undefined}>
                {format.number(tokens)}
                {tokens === counts?.tokens && <VisuallyHidden>, {t('inspector.counts')}</VisuallyHidden>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {MEASURES.map((measure) => (
            <tr key={measure}>
              <th scope="row">{t(`short.${measure}`)}</th>
              <td data-over={(counts && audit[measure] > counts[measure]) || undefined}>
                {mean(measure, audit[measure])}
              </td>
              {columns.map((each) => (
                <td key={each.tokens} data-counts={each.tokens === counts?.tokens || undefined}>
                  {mean(measure, each[measure])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.note}>{t(calibration ? 'inspector.below' : 'inspector.uncalibrated')}</p>
      <dl className={classes.explained}>
        {MEASURES.map((measure) => (
          <div key={measure}>
            <dt>{t(`short.${measure}`)}</dt>
            <dd>{t(`explained.${measure}`)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
