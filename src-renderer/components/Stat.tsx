import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface StatProps {
  label: string;
  /** Undefined shows a dash: nothing is known yet. */
  value: ReactNode | undefined;
  /** A line below, smaller. */
  note?: ReactNode;
}

/** One figure with its name. */
export function Stat({ label, value, note }: StatProps) {
  return (
    <Paper withBorder p="md" component="dl" m={0}>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz={26} fw={650} lh={1.3}>
        {value ?? '–'}
      </Text>
      {note && (
        <Text component="dd" m={0} size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}
