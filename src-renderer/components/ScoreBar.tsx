import { Box, Group, Text } from '@mantine/core';
import { useFormat } from '../i18n/format.ts';
import { Meter } from './Meter.tsx';

interface ScoreBarProps {
  name: string;
  /** From 0 to 1; null where it is not known. */
  value: number | null;
  /** What stands for the value. Default: the value. */
  shown?: string;
  colour?: string;
  /** Below the bar. */
  reason?: string;
}

/** A part of a score: its name, its value and a bar. */
export function ScoreBar({ name, value, shown, colour, reason }: ScoreBarProps) {
  const format = useFormat();
  const part = { share: value ?? 0, ...(colour !== undefined && { colour }) };
  return (
    <Box mb="sm">
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text size="sm">{name}</Text>
        <Text size="sm" fw={600}>
          {shown ?? (value === null ? '–' : format.short(value, 2))}
        </Text>
      </Group>
      <Meter parts={[part]} />
      {reason && (
        <Text size="xs" c="var(--q-ink-2)" mt={4}>
          {reason}
        </Text>
      )}
    </Box>
  );
}
