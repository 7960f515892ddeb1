import { Button, Group, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFileImport } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { LocalModel } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { DiskUse } from './DiskUse.tsx';
import { ImportModel } from './ImportModel.tsx';
import { LocalModelRow } from './LocalModelRow.tsx';

/** The models on this computer: which one is used, and what can be done with them. */
export function LocalModels({ onCatalogue }: { onCatalogue: () => void }) {
  const { t } = useTranslation('models');
  const { data: models, error, refetch } = useAnswer(api.models.list.queryOptions());
  const [importing, dialog] = useDisclosure();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          {t('place.local')}
        </Title>
        <Button variant="default" leftSection={<IconFileImport size={16} aria-hidden />} onClick={dialog.open}>
          {t('import.open')}
        </Button>
      </Group>
      <ErrorNote error={error} onRetry={refetch} />
      {!models && !error && <Skeleton h={160} />}
      {models && models.length > 0 && (
        <Paper withBorder px="md" py="xs">
          <ModelTable models={models} />
        </Paper>
      )}
      {models?.every(({ tiny }) => tiny) && (
        <EmptyState title={t('local.empty')}>
          <Text c="dimmed">{t('local.emptyHelp')}</Text>
          <Button onClick={onCatalogue}>{t('local.toCatalogue')}</Button>
        </EmptyState>
      )}
      <DiskUse />
      {importing && <ImportModel onClose={dialog.close} />}
    </Stack>
  );
}

function ModelTable({ models }: { models: LocalModel[] }) {
  const { t } = useTranslation('models');
  return (
    <Table.ScrollContainer minWidth={680}>
      <Table verticalSpacing="sm" aria-label={t('place.local')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column.name')}</Table.Th>
            <Table.Th>{t('column.size')}</Table.Th>
            <Table.Th>{t('column.licence')}</Table.Th>
            <Table.Th>{t('column.origin')}</Table.Th>
            <Table.Th>{t('column.actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {models.map((model) => (
            <LocalModelRow key={model.path} model={model} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
