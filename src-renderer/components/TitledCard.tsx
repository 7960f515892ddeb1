import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface TitledCardProps {
  title: string;
  /** One or two sentences below the title. */
  description?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page: a heading of the second order, and what belongs to it in a frame. */
export function TitledCard({ title, description, actions, children }: TitledCardProps) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} withBorder p="lg" flex="1 1 auto">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4} flex="1 1 280px">
            <Title order={2} size="h4" id={id}>
              {title}
            </Title>
            {description && (
              <Text size="sm" c="dimmed">
                {description}
              </Text>
            )}
          </Stack>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
