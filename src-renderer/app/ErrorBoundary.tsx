import { Button, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Translation } from 'react-i18next';

/** Keeps the menu alive when a page breaks or cannot be fetched, and offers to load everything again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Translation>
        {(t) => (
          <Stack align="flex-start" role="alert">
            <Title order={1} size="h3">
              {t('error.page')}
            </Title>
            <Text c="dimmed">{error.message}</Text>
            <Button onClick={() => location.reload()}>{t('error.reload')}</Button>
          </Stack>
        )}
      </Translation>
    );
  }
}
