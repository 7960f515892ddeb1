import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { Section } from '../../../components/Section.tsx';
import { FetchBar } from './FetchBar.tsx';
import { fetchFiles, useFetching } from './fetching.ts';
import { PackRow } from './PackRow.tsx';
import type { Pack } from './packs.ts';
import { usePacks } from './use-packs.ts';

/** The published files that questions come out of: which are here, and fetching the others. */
export function Files() {
  const { t } = useTranslation('evaluation');
  const { packs, error, refetch } = usePacks();
  const isFetching = useFetching(({ stop }) => stop !== undefined);
  const isAllHere = packs?.every(({ state, isExtra }) => state === 'here' || isExtra) ?? true;
  return (
    <PageBody>
      <Section
        title={t('files.title')}
        description={t('files.means')}
        aside={
          <Button
            variant="default"
            title={t('files.fetchAllMeans')}
            leftSection={<IconDownload size={15} stroke={1.6} aria-hidden />}
            disabled={isFetching || isAllHere}
            onClick={() => void fetchFiles({ suites: [], all: false })}
          >
            {t('files.fetchAll')}
          </Button>
        }
      >
        <FetchBar />
        {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
        {!packs && error === null && <TableSkeleton rows={6} />}
        {packs && <PackTable packs={packs} />}
      </Section>
      <p className={tableClasses.beside}>{t('files.own')}</p>
    </PageBody>
  );
}

function PackTable({ packs }: { packs: readonly Pack[] }) {
  const { t } = useTranslation('evaluation');
  return (
    <div className={`${tableClasses.list} ${tableClasses.bleed}`}>
      <table className={tableClasses.table} aria-label={t('files.title')}>
        <thead>
          <tr>
            <th scope="col">{t('files.name')}</th>
            <th scope="col">{t('files.state')}</th>
            <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
              {t('files.size')}
            </th>
            <th scope="col" aria-label={t('files.action')} />
          </tr>
        </thead>
        <tbody>
          {packs.map((pack) => (
            <PackRow key={pack.key} pack={pack} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
