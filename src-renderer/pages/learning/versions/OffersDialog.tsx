import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { useFreshDownloads } from '../../../state/downloads.ts';
import { OfferedVersion } from './OfferedVersion.tsx';

/** Milliseconds to listen to other nodes before the answer. */
const LISTEN_MS = 2_000;

/** Versions that other nodes share, as far as they are in reach now, and what of them is on its way. */
export function OffersDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('learning');
  const { data, error, refetch, isFetching } = useAnswer(
    api.learning.offers.queryOptions({ input: { waitMs: LISTEN_MS } }),
  );
  const { downloads = [] } = useFreshDownloads();
  return (
    <Modal.Stack>
      <Modal opened onClose={onClose} title={t('offers.title')} size="xl" stackId="offers">
        <Stack>
          <Group justify="space-between" align="flex-start">
            <Text size="sm" maw={560}>
              {t('offers.what')}
            </Text>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} aria-hidden />}
              loading={isFetching}
              onClick={() => void refetch()}
            >
              {t('offers.look')}
            </Button>
          </Group>
          <ErrorNote error={error} />
          {!data && error === null && <TableSkeleton rows={2} />}
          {data?.offers.length === 0 && (
            <EmptyState title={t('offers.nothing')}>
              <Text size="sm">{t(data.peers === 0 ? 'offers.nobody' : 'offers.none', { count: data.peers })}</Text>
            </EmptyState>
          )}
          {data && data.offers.length > 0 && (
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
                  {data.offers.map((offer) => (
                    <OfferedVersion
                      key={`${offer.sha256} ${offer.base} ${offer.name}@${offer.number}`}
                      offer={offer}
                      download={downloads.find(({ adapter }) => adapter?.sha256 === offer.sha256)}
                    />
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Stack>
      </Modal>
    </Modal.Stack>
  );
}
