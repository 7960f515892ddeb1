import { Checkbox } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SearchHit } from '../../../../src-preload/contract/data.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import classes from '../data.module.css';
import { canBeChosen, choose, keyOf, useFindView } from './find-view.ts';

interface HitTableProps {
  hits: readonly SearchHit[];
  /** Key of the one whose details are beside the list. */
  selected: string | undefined;
  onSelect: (key: string) => void;
}

/** Videos, in the order of their source; those that may be used are chosen by a tick. */
export function HitTable({ hits, selected, onSelect }: HitTableProps) {
  const { t } = useTranslation('data');
  const chosen = useFindView((view) => view.chosen);
  const usable = hits.filter(canBeChosen);
  const ticked = usable.filter((hit) => chosen[keyOf(hit)]).length;
  return (
    <div className={tableClasses.list}>
      <table className={tableClasses.table} aria-label={t('place.find')}>
        <thead>
          <tr>
            <th scope="col" className={classes.tick}>
              <Checkbox
                aria-label={t('find.chooseAll')}
                disabled={usable.length === 0}
                checked={ticked > 0 && ticked === usable.length}
                indeterminate={ticked > 0 && ticked < usable.length}
                onChange={({ currentTarget }) => choose(hits, currentTarget.checked)}
              />
            </th>
            <th scope="col">{t('find.video')}</th>
            <th scope="col" className={tableClasses.wide}>
              {t('provenance.licence')}
            </th>
            <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
              {t('find.length')}
            </th>
            <th scope="col">{t('find.use')}</th>
          </tr>
        </thead>
        <tbody>
          {hits.map((hit) => (
            <HitRow
              key={keyOf(hit)}
              hit={hit}
              isChosen={keyOf(hit) in chosen}
              selected={keyOf(hit) === selected}
              onSelect={() => onSelect(keyOf(hit))}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HitRowProps {
  hit: SearchHit;
  isChosen: boolean;
  selected: boolean;
  onSelect: () => void;
}

function HitRow({ hit, isChosen, selected, onSelect }: HitRowProps) {
  const { t } = useTranslation('data');
  const { title, author, licence, seconds } = hit;
  const length = seconds === null ? '–' : lengthText(seconds * 1_000);
  return (
    <PickRow
      name={title}
      below={
        <>
          {author ?? t('find.noAuthor')}
          <span className={tableClasses.slim}>{` · ${t(`licence.${licence}`)} · ${length}`}</span>
        </>
      }
      selected={selected}
      onSelect={onSelect}
      dim={!canBeChosen(hit)}
      before={
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tick is not to pick the row, and has keys of its own
        <td className={classes.tick} onClick={(event) => event.stopPropagation()}>
          <Checkbox
            aria-label={t('find.choose', { title })}
            disabled={!canBeChosen(hit)}
            checked={isChosen}
            onChange={({ currentTarget }) => choose([hit], currentTarget.checked)}
          />
        </td>
      }
      wide
    >
      <td className={tableClasses.wide} style={{ whiteSpace: 'nowrap' }}>
        {t(`licence.${licence}`)}
      </td>
      <td className={`${tableClasses.num} ${tableClasses.wide}`}>{length}</td>
      <td>
        <UseChip hit={hit} />
      </td>
    </PickRow>
  );
}

function UseChip({ hit: { unusable, isKnown } }: { hit: SearchHit }) {
  const { t } = useTranslation('data');
  if (unusable) {
    return (
      <StateChip state="error" icon={IconX}>
        {t('find.not')}
      </StateChip>
    );
  }
  return (
    <StateChip state={isKnown ? 'idle' : 'good'} icon={IconCheck}>
      {t(isKnown ? 'find.here' : 'find.usable')}
    </StateChip>
  );
}
