import { Button, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode, useEffect } from 'react';
import { Translation } from 'react-i18next';
import { useConnection } from '../api/connection.ts';
import { ignoring } from '../api/ignoring.ts';
import { loadNewScreens } from '../api/new-screens.ts';
import { isDesktop } from '../api/port.ts';
import { PageNotFetched } from '../components/screen.ts';

/** Keeps the menu alive when a page breaks or cannot be fetched, and offers to load everything again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const notFetched = error instanceof PageNotFetched;
    return (
      <Translation>
        {(t) => (
          <Stack align="flex-start" role="alert">
            <Title order={1} size="h3">
              {t(notFetched ? 'error.notFetched' : 'error.page')}
            </Title>
            <Text c="dimmed">{notFetched ? t('error.whenBack') : error.message}</Text>
            {notFetched && <ReloadWhenBack />}
            {!isDesktop() && <ReloadIfNew />}
            <Button onClick={() => location.reload()}>{t('error.reload')}</Button>
          </Stack>
        )}
      </Translation>
    );
  }
}

/** Loads the screens again when the lost connection is back: a browser may keep a failed import as long as they are open. */
function ReloadWhenBack() {
  useEffect(
    () =>
      useConnection.subscribe(({ state }, before) => {
        if (before.state === 'lost' && state === 'open') location.reload();
      }),
    [],
  );
  return null;
}

/** A page of before may fail at a node that was updated: then the new one is what there is to show. */
function ReloadIfNew() {
  useEffect(() => void loadNewScreens().catch(ignoring('it is looked again when the connection is back')), []);
  return null;
}
