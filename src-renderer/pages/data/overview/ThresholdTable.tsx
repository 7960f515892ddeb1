import { useTranslation } from 'react-i18next';
import type { ModelThresholds } from '../../../../src-preload/contract/data-calibration.ts';
import table from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../data.module.css';

const COLUMNS = ['same', 'known', 'nothing', 'closest'] as const;

/** From where on each model calls clips alike, by how many clips that was measured, and what the figures mean. */
export function ThresholdTable({ models }: { models: readonly ModelThresholds[] }) {
  const { t } = useTranslation('data');
  return (
    <>
      <div className={`${table.list} ${table.bleed}`}>
        <table className={`${table.table} ${classes.thresholds}`} aria-label={t('threshold.title')}>
          <thead>
            <tr>
              <th scope="col">{t('threshold.model')}</th>
              {COLUMNS.map((column) => (
                <th scope="col" key={column} className={table.num}>
                  {t(`threshold.name.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <ModelRow key={model.kind} model={model} />
            ))}
          </tbody>
        </table>
      </div>
      <dl className={classes.explained}>
        {COLUMNS.map((column) => (
          <div key={column}>
            <dt>{t(`threshold.name.${column}`)}</dt>
            <dd>{t(`threshold.explained.${column}`)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function ModelRow({ model: { kind, name, thresholds, measured } }: { model: ModelThresholds }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const facts = [
    t(`threshold.kind.${kind}`),
    measured && t('threshold.by', { count: measured.by, formatted: format.number(measured.by) }),
    measured && format.relative(measured.at),
  ];
  return (
    <tr>
      <th scope="row">
        <span className={table.name}>{name}</span>
        <span className={table.sub}>{facts.filter(Boolean).join(' · ')}</span>
      </th>
      {thresholds ? (
        COLUMNS.map((column) => (
          <td key={column} className={`num ${table.num}`}>
            {format.short(closeness(thresholds)[column], 3)}
          </td>
        ))
      ) : (
        <td colSpan={COLUMNS.length} className={table.num}>
          <span className={classes.notYet}>{t('threshold.notYet')}</span>
        </td>
      )}
    </tr>
  );
}

/** All of them as how close something is: main has what is known as a distance. */
function closeness({ same, novel, unrelated, closest }: NonNullable<ModelThresholds['thresholds']>) {
  return { same, known: 1 - novel, nothing: unrelated, closest };
}
