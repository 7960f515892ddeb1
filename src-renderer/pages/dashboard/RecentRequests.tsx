import { Skeleton, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ServedRequest } from '../../../src-preload/contract/credits.ts';
import { shortId } from '../../../src-preload/contract/limits.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';

const SHOWN = 10;

/** What this node answered last: figures only, for the texts are kept nowhere. */
export function RecentRequests() {
  const { t } = useTranslation('dashboard');
  const { data, error, refetch } = useAnswer(api.credits.served.queryOptions({ input: { limit: SHOWN } }));
  return (
    <Section title={t('requests.title')}>
      <ErrorNote error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={220} aria-hidden />}
      {data?.length === 0 && <EmptyState title={t('requests.emptyTitle')}>{t('requests.empty')}</EmptyState>}
      {data && data.length > 0 && <Requests requests={data} />}
      <Text size="sm" c="dimmed">
        {t('requests.privacy')}
      </Text>
    </Section>
  );
}

function Requests({ requests }: { requests: ServedRequest[] }) {
  const { t } = useTranslation('dashboard');
  return (
    <Table.ScrollContainer minWidth={560} type="native" tabIndex={0} role="group" aria-label={t('requests.title')}>
      <Table aria-label={t('requests.title')} verticalSpacing="xs" horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('requests.time')}</Table.Th>
            <Table.Th>{t('requests.model')}</Table.Th>
            <Table.Th ta="right">{t('requests.tokens')}</Table.Th>
            <Table.Th ta="right">{t('requests.took')}</Table.Th>
            <Table.Th>{t('requests.client')}</Table.Th>
            <Table.Th ta="right">{t('requests.points')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {requests.map((request) => (
            <Request key={request.requestId} request={request} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Request({ request }: { request: ServedRequest }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { at, client, model, promptTokens, completionTokens, processingMs, points } = request;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{format.time(at)}</Table.Td>
      <Table.Td maw={150}>
        <Text size="sm" truncate title={model}>
          {model}
        </Text>
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {promptTokens === undefined ? '' : t('requests.in', { tokens: format.number(promptTokens) })}
        {format.number(completionTokens)}
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {format.duration(processingMs)}
      </Table.Td>
      <Table.Td ff="monospace">{shortId(client)}</Table.Td>
      <Table.Td ta="right">{format.signed(points)}</Table.Td>
    </Table.Tr>
  );
}
