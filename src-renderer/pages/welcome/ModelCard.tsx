import { Badge, Group, Radio, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CatalogueModel } from '../../../src-preload/contract/models.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import type { Choice } from './choices.ts';

interface ModelCardProps {
  choice: Choice;
  recommended: boolean;
  /** Bytes that are free on the drive. */
  free: number | undefined;
}

/** A model to pick: what it is good for, how it would run here, and what it costs in room. */
export function ModelCard({ choice, recommended, free }: ModelCardProps) {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  const { name, title, tiny, installed, bytes, licence, catalogue, tooLarge } = choice;
  const facts = [
    bytes !== null && !tiny && t('model.size', { size: format.bytes(bytes) }),
    licence && t('model.licence', { licence }),
  ].filter(Boolean);
  return (
    <Radio.Card value={name} p="md" disabled={tooLarge}>
      <Group wrap="nowrap" align="flex-start">
        <Radio.Indicator disabled={tooLarge} mt={3} />
        <Stack gap={4} miw={0}>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {tiny ? t('model.tinyTitle') : title}
            </Text>
            {recommended && <Badge variant="light">{t('model.recommended')}</Badge>}
            {installed && !tiny && (
              <Badge variant="light" color="gray">
                {t('model.installed')}
              </Badge>
            )}
          </Group>
          {tiny && <Text size="sm">{t('model.tiny')}</Text>}
          {catalogue && <Text size="sm">{worded(catalogue, 'description')}</Text>}
          {catalogue?.fit && <Fit fit={catalogue.fit} />}
          {facts.length > 0 && (
            <Text size="sm" c="dimmed">
              {facts.join(' · ')}
            </Text>
          )}
          {tooLarge && (
            <Text size="sm" c="error">
              {t('model.tooLarge', { free: format.bytes(free ?? 0) })}
            </Text>
          )}
        </Stack>
      </Group>
    </Radio.Card>
  );
}

function Fit({ fit }: { fit: NonNullable<CatalogueModel['fit']> }) {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  const { speed, memory, runs } = fit;
  return (
    <Text size="sm" fw={500}>
      {t(`model.fit.${runs}`, {
        speed: t(`speed.${speed.class}`),
        tokens: format.number(speed.tokensPerSecond),
        memory: format.bytes(memory.total),
      })}
    </Text>
  );
}
