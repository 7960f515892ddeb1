import { Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OfferedAdapter } from '../../../../src-preload/contract/learning-sharing.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { LookAgain } from '../../../components/page/LookAgain.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { useFocusBack } from '../../../components/use-focus-back.ts';
import { useFreshDownloads } from '../../../state/downloads.ts';
import { OfferedVersion } from './OfferedVersion.tsx';

/** Milliseconds to listen to other nodes before the answer. */
const LISTEN_MS = 2_000;
const PAGE_ROWS = 20;

/** Versions that other nodes share, as far as they are in reach now, and what of them is on its way. */
export function OffersDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('learning');
  useFocusBack();
  const { data, error, refetch, isFetching } = useAnswer(
    api.learning.offers.queryOptions({ input: { waitMs: LISTEN_MS } }),
  );
  return (
    <Modal.Stack>
      <Modal opened onClose={onClose} title={t('offers.title')} size="xl" stackId="offers">
        <Stack>
          <Group justify="space-between" align="flex-start">
            <Text size="sm" maw={560}>
              {t('offers.what')}
            </Text>
            <LookAgain label={t('offers.look')} isLooking={isFetching} look={() => void refetch()} />
          </Group>
          <ErrorNote error={error} />
          {!data && error === null && <TableSkeleton rows={2} />}
          {data?.offers.length === 0 && (
            <EmptyState title={t('offers.nothing')}>
              <Text size="sm">{t(data.peers === 0 ? 'offers.nobody' : 'offers.none', { count: data.peers })}</Text>
            </EmptyState>
          )}
          {data && data.offers.length > 0 && <OfferTable offers={data.offers} />}
        </Stack>
      </Modal>
    </Modal.Stack>
  );
}

function OfferTable({ offers }: { offers: OfferedAdapter[] }) {
  const { t } = useTranslation('learning');
  const { downloads = [] } = useFreshDownloads();
  const [wanted, setPage] = useState(1);
  const pages = Math.ceil(offers.length / PAGE_ROWS);
  const page = Math.min(wanted, pages);
  return (
    <>
      <div className={tableClasses.list}>
        <table className={tableClasses.table} aria-label={t('offers.title')}>
          <thead>
            <tr>
              <th scope="col">{t('version')}</th>
              <th scope="col" className={tableClasses.wide}>
                {t('offers.trust')}
              </th>
              <th scope="col" aria-label={t('offers.fetch')} />
            </tr>
          </thead>
          <tbody>
            {offers.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map((offer) => (
              <OfferedVersion
                key={`${offer.sha256} ${offer.base} ${offer.name}@${offer.number}`}
                offer={offer}
                download={downloads.find(({ adapter }) => adapter?.sha256 === offer.sha256)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} pages={pages} setPage={setPage} label={t('offers.title')} />
    </>
  );
}
