import { Group, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  /** At the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A card of the dashboard with its heading; as high as its neighbours. */
export function Section({ title, aside, children }: SectionProps) {
  const id = useId();
  return (
    <Paper withBorder p="lg" h="100%" component="section" aria-labelledby={id}>
      <Stack gap="md">
        <Group justify="space-between" align="baseline">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {aside}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
