import { Badge, Button, Group, Loader, Text } from '@mantine/core';
import { IconCheck, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CatalogueModel, Download } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { tellError } from '../../components/tell-error.ts';
import { useFormat } from '../../i18n/format.ts';

/** Starts a model's download, or says how far it is, or that the model is here. */
export function GetModel({ model, download }: { model: CatalogueModel; download: Download | undefined }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const pull = useMutation(
    api.models.pull.mutationOptions({
      onError: (error) => tellError(error, t('card.notStarted')),
    }),
  );
  if (model.installed) {
    return (
      <Badge color="green" variant="light" size="lg" leftSection={<IconCheck size={14} aria-hidden />}>
        {t('card.installed')}
      </Badge>
    );
  }
  if (download) {
    const { state, received, bytes } = download;
    return (
      <Group gap="xs" wrap="nowrap">
        {state === 'downloading' && <Loader size="xs" aria-hidden />}
        <Text size="sm">
          {t(`state.${state}`)}
          {bytes !== null && ` ${format.percent(received / bytes)}`}
        </Text>
      </Group>
    );
  }
  return (
    <Button
      size="sm"
      style={{ flexShrink: 0 }}
      variant={model.fit?.runs === 'no' ? 'default' : 'light'}
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={pull.isPending}
      aria-label={t('card.downloadOf', { title: model.title })}
      onClick={() => pull.mutate({ name: model.name })}
    >
      {t('card.download')}
    </Button>
  );
}
