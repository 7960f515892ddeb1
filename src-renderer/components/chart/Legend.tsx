import { Box, Group, Text } from '@mantine/core';

export interface LegendItem {
  label: string;
  /** A CSS colour; see SERIES_COLOURS for the order. */
  colour: string;
  /** What it is now, as it is to be read; left out where there is nothing yet. */
  value?: string;
  /** A dash for lines and bars, a tick for payments. Default: a dash. */
  mark?: 'dash' | 'tick';
}

/** What is drawn in which colour, and how it stands now: it belongs into the heading of the chart's section. */
export function Legend({ items }: { items: readonly LegendItem[] }) {
  return (
    <Group component="ul" gap="4px 12px" m={0} p={0} style={{ listStyle: 'none' }}>
      {items.map(({ label, colour, value, mark }) => (
        <Group component="li" key={label} gap={6} wrap="nowrap" fz={12} maw="100%" style={{ whiteSpace: 'nowrap' }}>
          {mark === 'tick' ? (
            <Box component="span" w={3} h={12} bdrs={2} bg={colour} aria-hidden />
          ) : (
            <Dash colour={colour} />
          )}
          <Text span inherit c="dimmed" truncate>
            {label}
          </Text>
          {value !== undefined && (
            <Text span inherit fw={600}>
              {value}
            </Text>
          )}
        </Group>
      ))}
    </Group>
  );
}

export function Dash({ colour }: { colour: string }) {
  return <Box component="span" w={10} h={3} bdrs={2} bg={colour} flex="none" aria-hidden />;
}
