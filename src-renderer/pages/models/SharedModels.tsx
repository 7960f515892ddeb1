import { Paper, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LocalModel, Sharing } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useFormat } from '../../i18n/format.ts';
import { SharedModelRow } from './SharedModelRow.tsx';

/** Which models of this computer others can fetch, a switch for each. */
export function SharedModels({ sharing }: { sharing: Sharing }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const { data: models = [] } = useAnswer(api.models.list.queryOptions());
  const shareable = models.filter(({ tiny }) => !tiny);
  const used = format.bytes(sharing.diskUsed);
  return (
    <Paper withBorder p="lg">
      <Title order={3} size="h5">
        {t('sharing.yours')}
      </Title>
      <Text size="sm" c="dimmed">
        {sharing.diskLimit === null
          ? t('sharing.disk', { used })
          : t('sharing.diskOf', { used, limit: format.bytes(sharing.diskLimit) })}
      </Text>
      {shareable.length === 0 ? (
        <EmptyState title={t('sharing.nothing')}>{t('sharing.nothingHelp')}</EmptyState>
      ) : (
        <SharedTable models={shareable} sharing={sharing} />
      )}
    </Paper>
  );
}

function SharedTable({ models, sharing }: { models: LocalModel[]; sharing: Sharing }) {
  const { t } = useTranslation('models');
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table verticalSpacing="sm" aria-label={t('sharing.yours')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column.name')}</Table.Th>
            <Table.Th>{t('column.size')}</Table.Th>
            <Table.Th>{t('sharing.state')}</Table.Th>
            <Table.Th>{t('sharing.peers')}</Table.Th>
            <Table.Th>{t('sharing.uploaded')}</Table.Th>
            <Table.Th>{t('sharing.shared')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {models.map((model) => (
            <SharedModelRow
              key={model.path}
              model={model}
              shared={sharing.models.find(({ sha256 }) => sha256 === model.sha256)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
