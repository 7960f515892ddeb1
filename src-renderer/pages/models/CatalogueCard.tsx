import { Badge, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CatalogueModel, Download } from '../../../src-preload/contract/models.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { FitBadge } from './FitBadge.tsx';
import { GetModel } from './GetModel.tsx';

interface CatalogueCardProps {
  model: CatalogueModel;
  /** Its download, while there is one under way. */
  download: Download | undefined;
}

/** One model of the catalogue: what it is, how it would run here, and the way to get it. */
export function CatalogueCard({ model, download }: CatalogueCardProps) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const { title, use, parameters, quantisation, licence, bytes, fit } = model;
  const facts = [
    parameters < 999.5e6
      ? t('card.millions', { number: format.number(parameters / 1e6) })
      : t('card.billions', { number: format.number(parameters / 1e9, 1) }),
    bytes === null ? t('card.sizeUnknown') : format.bytes(bytes),
    quantisation,
    licence,
  ];
  return (
    <Card withBorder padding="lg" component="article" aria-label={title}>
      <Stack gap="xs" h="100%">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={3} size="h5">
            {title}
          </Title>
          <Badge variant="light" color="gray" style={{ flexShrink: 0 }}>
            {t(`use.${use}`)}
          </Badge>
        </Group>
        <Text size="sm">{worded(model, 'description')}</Text>
        <Text size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
        <Group justify="space-between" mt="auto" pt="xs" wrap="nowrap">
          <FitBadge fit={fit} />
          <GetModel model={model} download={download} />
        </Group>
      </Stack>
    </Card>
  );
}
