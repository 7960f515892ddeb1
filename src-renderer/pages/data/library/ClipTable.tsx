import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Clip } from '../../../../src-preload/contract/data.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../data.module.css';
import { useWorth } from '../use-worth.ts';
import { ClipPicture } from './ClipPicture.tsx';

interface ClipTableProps {
  clips: readonly Clip[];
  /** Id of the one whose details are beside the list. */
  selected: string | undefined;
  onSelect: (clip: string) => void;
}

/** Clips with their pictures, and what each is worth for its topic; or how close it is to what was asked for. */
export function ClipTable({ clips, selected, onSelect }: ClipTableProps) {
  const { t } = useTranslation('data');
  const isAsked = clips.some(({ closeness }) => closeness !== null);
  return (
    <div className={tableClasses.list}>
      <table className={tableClasses.table} aria-label={t('place.library')}>
        <thead>
          <tr>
            <th scope="col" className={classes.pictureCell} aria-label={t('library.picture')} />
            <th scope="col">{t('library.clip')}</th>
            <th scope="col" className={tableClasses.wide}>
              {t('provenance.licence')}
            </th>
            <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
              {t('find.length')}
            </th>
            <th scope="col" className={tableClasses.num}>
              {t(isAsked ? 'library.closeness' : 'score.title')}
            </th>
          </tr>
        </thead>
        <tbody>
          {clips.map((clip) => (
            <ClipRow key={clip.clip} clip={clip} selected={clip.clip === selected} onSelect={onSelect} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ClipRowProps {
  clip: Clip;
  selected: boolean;
  onSelect: (clip: string) => void;
}

/** Drawn again when it changes, and not whenever one of hundreds is selected. */
const ClipRow = memo(function ClipRow({ clip, selected, onSelect }: ClipRowProps) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const write = useWorth();
  const { title, topic, source, licence, from, to, score, closeness, isTakenDown } = clip;
  return (
    <PickRow
      name={title}
      below={[isTakenDown && t('library.takenDown'), topic, t(`source.${source}`)].filter(Boolean).join(' · ')}
      dim={isTakenDown}
      selected={selected}
      onSelect={() => onSelect(clip.clip)}
      before={
        <td className={classes.pictureCell}>
          <ClipPicture clip={clip.clip} />
        </td>
      }
      wide
    >
      <td className={tableClasses.wide} style={{ whiteSpace: 'nowrap' }}>
        {t(`licence.${licence}`)}
      </td>
      <td className={`${tableClasses.num} ${tableClasses.wide}`}>{lengthText((to - from) * 1_000)}</td>
      <td className={tableClasses.num}>
        {closeness !== null && format.short(closeness, 2)}
        {closeness === null &&
          (score ? write(score.worth) : <span className={classes.notYet}>{t('score.notYet')}</span>)}
      </td>
    </PickRow>
  );
});
