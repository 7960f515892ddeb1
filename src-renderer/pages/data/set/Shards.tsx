import { Text } from '@mantine/core';
import { IconCheck, IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Shard } from '../../../../src-preload/contract/data-set.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { usePages } from '../../../components/page/use-pages.ts';
import { Section } from '../../../components/Section.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';

const ON_A_PAGE = 20;

/** The files of the data set, the newest first. */
export function Shards({ shards }: { shards: readonly Shard[] }) {
  const { t } = useTranslation('data');
  const newestFirst = [...shards].sort((a, b) => b.createdAt - a.createdAt);
  const { rows, page, pages, setPage } = usePages(newestFirst, ON_A_PAGE);
  if (shards.length === 0) {
    return (
      <Section title={t('set.files')}>
        <EmptyState title={t('set.none')}>
          <Text size="sm" maw={560}>
            {t('set.noneMeans')}
          </Text>
        </EmptyState>
      </Section>
    );
  }
  return (
    <Section title={t('set.files')}>
      <div className={`${tableClasses.list} ${tableClasses.bleed}`}>
        <table className={tableClasses.table} aria-label={t('set.files')}>
          <thead>
            <tr>
              <th scope="col">{t('set.file')}</th>
              <th scope="col" className={tableClasses.num}>
                {t('set.rowsHead')}
              </th>
              <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
                {t('find.size')}
              </th>
              <th scope="col">{t('jobs.state')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((shard) => (
              <ShardRow key={shard.name} shard={shard} />
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} pages={pages} setPage={setPage} label={t('set.pages')} />
    </Section>
  );
}

function ShardRow({ shard }: { shard: Shard }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const { name, kind, rows, bytes, createdAt, uploadedAt, uploadedTo, takenDown } = shard;
  const gone = takenDown > 0 && t('set.takenDown', { count: takenDown, formatted: format.number(takenDown) });
  return (
    <tr>
      <th scope="row" className={tableClasses.brief}>
        <span className={tableClasses.name}>{name}</span>
        <span className={tableClasses.sub}>
          {[t(`submission.kind.${kind}`), format.time(createdAt), gone].filter(Boolean).join(' · ')}
        </span>
      </th>
      <td className={tableClasses.num}>{format.number(rows)}</td>
      <td className={`${tableClasses.num} ${tableClasses.wide}`}>{format.bytes(bytes)}</td>
      <td title={uploadedTo ?? undefined}>
        <StateChip state={uploadedAt === null ? 'idle' : 'good'} icon={uploadedAt === null ? IconClock : IconCheck}>
          {t(uploadedAt === null ? 'set.here' : 'set.uploaded')}
        </StateChip>
      </td>
    </tr>
  );
}
