import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  /** What to do so that there will be something; a button perhaps. */
  children?: ReactNode;
}

/** What a list says that has nothing in it yet. */
export function EmptyState({ icon: StateIcon, title, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
        <StateIcon size={28} stroke={1.5} />
      </ThemeIcon>
      <Title order={3} size="h5">
        {title}
      </Title>
      {typeof children === 'string' ? <Text c="dimmed">{children}</Text> : children}
    </Stack>
  );
}
