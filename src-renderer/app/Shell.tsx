import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { PAGES } from '../../src-preload/contract/domains.ts';
import type { PageName } from '../../src-preload/contract/pages.ts';
import { client } from '../api/client.ts';
import { useLive } from '../api/live.ts';
import { useUnsaved } from '../api/unsaved.ts';
import { Banners } from '../components/banners/Banners.tsx';
import { DropModel } from '../components/DropModel.tsx';
import { PageSkeleton } from '../components/page/PageSkeleton.tsx';
import { usePlace } from '../components/page/place.ts';
import { useNode } from '../state/node.ts';
import { useRecording } from '../state/recording.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Finder, fetchFinder } from './Finder.tsx';
import classes from './frame.module.css';
import { Header } from './Header.tsx';
import { fetchEarly, screenOf } from './pages.ts';
import { Sidebar } from './Sidebar.tsx';
import { useGoneFor } from './use-gone-for.ts';
import { useOpenPage } from './use-open-page.ts';

/** A loss that is over before anybody could act takes nobody's focus away. */
const SWITCH_OFF_AFTER_MS = 1_500;

/** The frame and the page of the address. Keeps the node's status fresh for all of them. */
export function Shell() {
  useLive(
    (signal) => client.node.watch(undefined, { signal }),
    (status) => useNode.setState({ status }),
  );
  useEffect(() => fetchEarly(fetchFinder), []);
  useUnsaved(useRecording(({ now }) => now !== undefined));
  return (
    <Router hook={useHashLocation}>
      <Frame />
      <DropModel />
      <Finder />
    </Router>
  );
}

function Frame() {
  const { t } = useTranslation();
  const [opened, menu] = useDisclosure();
  const gone = useGoneFor(SWITCH_OFF_AFTER_MS);
  const records = useRecordsHere();
  return (
    <div className={classes.frame}>
      <button type="button" className={classes.skip} onClick={focusContent}>
        {t('skipToContent')}
      </button>
      <aside className={classes.side}>
        <Sidebar />
      </aside>
      <Drawer opened={opened} onClose={menu.close} size={280} title={t('nav.label')}>
        <Sidebar onOpen={menu.close} />
      </Drawer>
      <div className={classes.panel}>
        <Header
          menuButton={
            <ActionIcon
              className={classes.menu}
              variant="subtle"
              color="gray"
              size={40}
              onClick={menu.open}
              aria-label={t('menu.open')}
            >
              <IconMenu2 size={20} stroke={1.6} aria-hidden />
            </ActionIcon>
          }
        />
        <Banners />
        <main id="content" tabIndex={-1} className={classes.main}>
          <fieldset className={classes.controls} disabled={gone && !records}>
            {gone && (
              <p className={classes.notLoaded} role="status">
                {t('connection.notLoaded')}
              </p>
            )}
            <Pages />
          </fieldset>
        </main>
      </div>
    </div>
  );
}

/** Whether the page shows what it records: pausing, forgetting and finishing need no node. */
function useRecordsHere(): boolean {
  const page = useOpenPage();
  const place = usePlace('focus');
  const isRecording = useRecording(({ now }) => now !== undefined);
  return isRecording && page?.name === 'focus' && place === 'record';
}

function Pages() {
  return (
    <Switch>
      {PAGES.map((page) => (
        <Route key={page.name} path={'places' in page ? `${page.path}/*?` : page.path}>
          <Page name={page.name} />
        </Route>
      ))}
      <Route>
        <Redirect to="/" />
      </Route>
    </Switch>
  );
}

function Page({ name }: { name: PageName }) {
  const { Content } = screenOf(name);
  return (
    <ErrorBoundary>
      <Suspense fallback={<PageSkeleton />}>
        <Content />
      </Suspense>
    </ErrorBoundary>
  );
}

function focusContent(): void {
  document.getElementById('content')?.focus();
}
