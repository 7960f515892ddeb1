import { Box, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dash } from '../../../components/chart/Legend.tsx';
import { useFormat } from '../../../i18n/format.ts';
import type { Source } from './source-shares.ts';

interface SourceLineProps {
  name: Source | 'penalties' | 'pairCap' | 'tooOld';
  points: number;
  /** Of all that added points, 0–1. */
  share?: number;
  /** Of its part of the bar. */
  colour?: string;
}

/** One source of points: its name, its sum, and a sentence on the rule. */
export function SourceLine({ name, points, share, colour }: SourceLineProps) {
  const { t } = useTranslation(['earnings', 'common']);
  const format = useFormat();
  const sum = t('common:points', { count: points, formatted: format.number(points) });
  return (
    <Group component="li" align="flex-start" gap={10} wrap="nowrap">
      <Box w={10} pt={8} flex="none" display="flex" aria-hidden>
        {colour && <Dash colour={colour} />}
      </Box>
      <Stack gap={0} flex={1}>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm" fw={550}>
            {t(`sources.${name}.label`)}
          </Text>
          <Text size="sm" className="num" style={{ whiteSpace: 'nowrap' }}>
            {share === undefined ? sum : `${sum} · ${format.percent(share)}`}
          </Text>
        </Group>
        <Text size="xs" c="dimmed">
          {t(`sources.${name}.how`)}
        </Text>
      </Stack>
    </Group>
  );
}
