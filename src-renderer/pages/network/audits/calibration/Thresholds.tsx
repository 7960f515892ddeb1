import { useTranslation } from 'react-i18next';
import type { AuditCalibrationView } from '../../../../../src-preload/contract/audits.ts';
import table from '../../../../components/page/table.module.css';
import { useFormat } from '../../../../i18n/format.ts';
import classes from '../audits.module.css';
import { useMean } from '../use-measure.ts';
import { MEASURES } from '../verdict.ts';

interface ThresholdsProps {
  calibrations: readonly AuditCalibrationView[];
  nameOf: (model: string) => string;
}

/** The means above which somebody is found out: of each file, by measure and by how many tokens were looked at. */
export function Thresholds({ calibrations, nameOf }: ThresholdsProps) {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const sizes = calibrations[0]?.thresholds.map(({ tokens }) => tokens) ?? [];
  return (
    <div className={`${table.list} ${table.bleed}`}>
      <table className={`${table.table} ${classes.thresholds}`} aria-label={t('calibration.table')}>
        <thead>
          <tr>
            <th scope="col">{t('calibration.after')}</th>
            {sizes.map((tokens) => (
              <th scope="col" key={tokens} className={table.num}>
                {format.number(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        {calibrations.map((calibration) => (
          <File key={calibration.model} calibration={calibration} title={nameOf(calibration.model)} />
        ))}
      </table>
    </div>
  );
}

function File({ calibration, title }: { calibration: AuditCalibrationView; title: string }) {
  const { t } = useTranslation('audits');
  const mean = useMean();
  return (
    <tbody>
      <tr className={table.group}>
        <th scope="rowgroup" colSpan={1 + calibration.thresholds.length}>
          <span className={table.name}>{title}</span>
          <Source calibration={calibration} />
        </th>
      </tr>
      {MEASURES.map((measure) => (
        <tr key={measure}>
          <th scope="row">
            <span className={table.wide}>{t(`measure.${measure}`)}</span>
            <span className={table.slim}>{t(`short.${measure}`)}</span>
          </th>
          {calibration.thresholds.map((each) => (
            <td key={each.tokens} className={`num ${table.num}`}>
              {mean(measure, each[measure])}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Source({ calibration: { answers, tokens, device, otherDevice, at } }: { calibration: AuditCalibrationView }) {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const from = {
    answers: format.number(answers),
    tokens: format.number(tokens),
    device: device.toUpperCase(),
    when: format.relative(at),
  };
  return (
    <span className={table.sub}>
      {t('calibration.from', from)}
      {otherDevice !== null && ` ${t('calibration.otherDevice', { device: otherDevice.toUpperCase() })}`}
    </span>
  );
}
