import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

interface StepFrameProps {
  title: string;
  /** A sentence or two below the title. */
  intro: string;
  children: ReactNode;
  onBack: (() => void) | undefined;
  /** The buttons that lead on. */
  actions: ReactNode;
}

/** A step of the welcome: its heading, which takes the focus, its content, and the way back and on. */
export function StepFrame({ title, intro, children, onBack, actions }: StepFrameProps) {
  const { t } = useTranslation('welcome');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {title}
        </Title>
        <Text c="dimmed">{intro}</Text>
      </Stack>
      {children}
      <Group justify="space-between" mt="md">
        {onBack ? (
          <Button variant="subtle" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
            {t('back')}
          </Button>
        ) : (
          <span />
        )}
        <Group gap="sm">{actions}</Group>
      </Group>
    </Stack>
  );
}
