import { Button, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLink } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { AddByAddress } from './AddByAddress.tsx';
import { CatalogueCard } from './CatalogueCard.tsx';
import { CatalogueFilters } from './CatalogueFilters.tsx';
import { EVERYTHING, useCatalogueView } from './catalogue-choice.ts';
import { type CatalogueView, shownModels } from './catalogue-view.ts';

/** The models that Quarry knows, with how each would run here. */
export function Catalogue({ downloads }: { downloads: Download[] }) {
  const { t } = useTranslation('models');
  const view = useCatalogueView();
  const setView = (next: CatalogueView) => useCatalogueView.setState(next);
  const [contextSize, setContextSize] = useState<number>();
  const [adding, dialog] = useDisclosure();
  const { data, error, refetch, isPlaceholderData } = useAnswer(
    api.models.catalogue.queryOptions({
      input: contextSize === undefined ? {} : { contextSize },
      placeholderData: keepPreviousData,
    }),
  );
  const models = shownModels(data ?? [], view);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          {t('place.catalogue')}
        </Title>
        <Button variant="default" leftSection={<IconLink size={16} aria-hidden />} onClick={dialog.open}>
          {t('address.open')}
        </Button>
      </Group>
      <CatalogueFilters view={view} onView={setView} contextSize={contextSize} onContextSize={setContextSize} />
      <ErrorNote error={error} onRetry={refetch} />
      {data && (
        <Text size="sm" c="dimmed" role="status">
          {isPlaceholderData ? t('catalogue.estimating') : t('catalogue.found', { count: models.length })}
        </Text>
      )}
      {!data && !error && <Skeleton h={320} />}
      {data && models.length === 0 && (
        <EmptyState title={t('catalogue.nothing')}>
          <Button variant="default" onClick={() => setView(EVERYTHING)}>
            {t('catalogue.everything')}
          </Button>
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} style={{ opacity: isPlaceholderData ? 0.6 : 1 }}>
        {models.map((model) => (
          <CatalogueCard
            key={model.name}
            model={model}
            download={downloads.find(({ name, state }) => name === model.name && state !== 'done')}
          />
        ))}
      </SimpleGrid>
      {adding && <AddByAddress onClose={dialog.close} />}
    </Stack>
  );
}
