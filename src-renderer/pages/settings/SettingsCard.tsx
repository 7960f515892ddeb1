import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SettingsCardProps {
  title: string;
  /** A line or two below the title. */
  help?: string;
  children: ReactNode;
}

/** Fields that belong together. */
export function SettingsCard({ title, help, children }: SettingsCardProps) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {help && (
        <Text size="sm" c="dimmed" mt={2} maw={680}>
          {help}
        </Text>
      )}
      <Stack gap="md" mt="md" maw={560}>
        {children}
      </Stack>
    </Paper>
  );
}
