import { useTranslation } from 'react-i18next';
import type { DataSetProgress } from '../../../../src-preload/contract/data-set.ts';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../data.module.css';

/** More are counted and not named. */
const MOST_NAMED = 20;

/** Files with what is in each. */
export function Files({ files }: Pick<DataSetProgress, 'files'>) {
  const { t } = useTranslation('data');
  const format = useFormat();
  if (files.length === 0) return null;
  const more = files.length - MOST_NAMED;
  return (
    <ul className={classes.files} aria-label={t('set.files')}>
      {files.slice(0, MOST_NAMED).map(({ name, rows, bytes }) => (
        <li key={name}>
          <span>{name}</span>
          <span>
            {rows !== null && `${t('set.rows', { count: rows, formatted: format.number(rows) })} · `}
            {format.bytes(bytes)}
          </span>
        </li>
      ))}
      {more > 0 && <li>{t('set.moreFiles', { count: more, formatted: format.number(more) })}</li>}
    </ul>
  );
}

/** What does not go along, and why. */
export function LeftOut({ leftOut }: Pick<DataSetProgress, 'leftOut'>) {
  const { t } = useTranslation('data');
  const format = useFormat();
  if (leftOut.length === 0) return null;
  return (
    <ul className={classes.files} aria-label={t('set.leftOut')}>
      {leftOut.map(({ why, rows }) => (
        <li key={why.text}>
          <span>{worded(why, 'text')}</span>
          <span>{t('set.leftOutRows', { count: rows, formatted: format.number(rows) })}</span>
        </li>
      ))}
    </ul>
  );
}
