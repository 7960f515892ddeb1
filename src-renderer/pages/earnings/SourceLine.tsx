import { Box, ColorSwatch, Group, getThemeColor, Stack, Text, useMantineTheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import type { Source } from './source-shares.ts';

interface SourceLineProps {
  name: Source | 'penalties' | 'pairCap' | 'tooOld';
  points: number;
  /** Of all that added points, 0–1. */
  share?: number;
  /** Of its part of the bar. */
  colour?: string;
}

/** One source of points: its name, its sum, and a sentence on what it depends on. */
export function SourceLine({ name, points, share, colour }: SourceLineProps) {
  const { t } = useTranslation(['earnings', 'common']);
  const format = useFormat();
  const theme = useMantineTheme();
  const sum = t('common:points', { count: points, formatted: format.number(points) });
  return (
    <Group component="li" align="flex-start" gap="sm" wrap="nowrap">
      {colour ? (
        <ColorSwatch size={12} mt={5} color={getThemeColor(colour, theme)} aria-hidden />
      ) : (
        <Box w={12} miw={12} aria-hidden />
      )}
      <Stack gap={0} flex={1}>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm" fw={600}>
            {t(`sources.${name}.label`)}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
            {share === undefined ? sum : `${sum} · ${format.percent(share)}`}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {t(`sources.${name}.how`)}
        </Text>
      </Stack>
    </Group>
  );
}
