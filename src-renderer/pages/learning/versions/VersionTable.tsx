import { IconCheck, IconShare } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ListedVersion } from '../../../../src-preload/contract/learning-versions.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import own from '../learning.module.css';
import { versionName } from './version-name.ts';

interface VersionTableProps {
  versions: readonly ListedVersion[];
  /** Id of the one in use. */
  latest: string | null;
  /** Of the version whose details stand beside the list. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

const SHARED_LOOKS = { preparing: 'wait', shared: 'idle', failed: 'error' } as const;

/** Versions along a line, the newest at its top. */
export function VersionTable({ versions, latest, selected, onSelect }: VersionTableProps) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const names = new Map(versions.map((version) => [version.id, versionName(version)]));
  return (
    <div className={classes.list}>
      <table className={`${classes.table} ${own.timeline}`} aria-label={t('place.versions')}>
        <thead>
          <tr>
            <td aria-hidden />
            <th scope="col">{t('version')}</th>
            <th scope="col">{t('versions.state')}</th>
            <th scope="col" className={classes.wide}>
              {t('versions.from')}
            </th>
            <th scope="col" className={classes.num}>
              {t('versions.size')}
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => {
            const { id, at, origin, parent, feedback, bytes, shared } = version;
            const from = parent === null ? t('versions.plain') : (names.get(parent) ?? t('versions.deleted'));
            const told =
              origin === 'learnt'
                ? t('origin.learntFrom', { count: feedback.length, formatted: format.number(feedback.length) })
                : t(`origin.${origin}`);
            return (
              <PickRow
                key={id}
                name={versionName(version)}
                below={`${format.time(at)} · ${told}`}
                selected={id === selected}
                onSelect={() => onSelect(id)}
                before={
                  <td className={own.node} aria-hidden>
                    <span data-in-use={id === latest || undefined} />
                  </td>
                }
              >
                <td>
                  <div className={own.chips}>
                    {id === latest && (
                      <StateChip state="good" icon={IconCheck}>
                        {t('versions.inUse')}
                      </StateChip>
                    )}
                    {shared !== null && (
                      <StateChip state={SHARED_LOOKS[shared]} icon={IconShare}>
                        {t(`share.state.${shared}`)}
                      </StateChip>
                    )}
                  </div>
                </td>
                <td className={classes.wide}>{from}</td>
                <td className={classes.num}>{format.bytes(bytes)}</td>
              </PickRow>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
