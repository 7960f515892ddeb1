import { Button, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Translation } from 'react-i18next';

/** Keeps the menu alive when a page breaks, and offers to try it again. */
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
            <Button onClick={() => this.setState({ error: undefined })}>{t('error.retry')}</Button>
          </Stack>
        )}
      </Translation>
    );
  }
}
