import { Button, Group, Pagination, Paper, Skeleton, Table, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OfferedModel } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { OfferRow } from './OfferRow.tsx';

/** Milliseconds to listen to other nodes before the answer. */
const LISTEN_MS = 2_000;
const PAGE_ROWS = 20;

/** What other nodes share, as far as they are in reach now. */
export function Offers() {
  const { t } = useTranslation(['models', 'common']);
  const { data, error, refetch, isFetching } = useAnswer(
    api.models.offers.queryOptions({ input: { waitMs: LISTEN_MS } }),
  );
  return (
    <Paper withBorder p="lg">
      <Group justify="space-between">
        <Title order={3} size="h5">
          {t('offers.title')}
        </Title>
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
      <Text size="sm" c="dimmed" maw={720}>
        {t('offers.intro')}
      </Text>
      <ErrorNote error={error} onRetry={refetch} />
      {!data && !error && <Skeleton h={80} aria-label={t('common:loading')} />}
      {data?.length === 0 && <EmptyState title={t('offers.nothing')}>{t('offers.nothingHelp')}</EmptyState>}
      {data && data.length > 0 && <OfferTable offers={data} />}
    </Paper>
  );
}

function OfferTable({ offers }: { offers: OfferedModel[] }) {
  const { t } = useTranslation('models');
  const [wanted, setPage] = useState(1);
  const pages = Math.ceil(offers.length / PAGE_ROWS);
  const page = Math.min(wanted, pages);
  return (
    <>
      <Table.ScrollContainer minWidth={720}>
        <Table verticalSpacing="sm" aria-label={t('offers.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('column.name')}</Table.Th>
              <Table.Th>{t('column.size')}</Table.Th>
              <Table.Th>{t('column.licence')}</Table.Th>
              <Table.Th>{t('offers.seeders')}</Table.Th>
              <Table.Th>{t('offers.trust')}</Table.Th>
              <Table.Th>{t('column.actions')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {offers.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map((offer) => (
              <OfferRow key={offer.sha256 + offer.name} offer={offer} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': t(`pages.${control}`) })}
          getItemProps={(number) => ({ 'aria-label': t('pages.page', { number }) })}
        />
      )}
    </>
  );
}
