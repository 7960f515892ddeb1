import { AppShell, Burger, Group, Loader, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { client } from '../api/client.ts';
import { useLive } from '../api/live.ts';
import { MiningControl } from '../components/MiningControl.tsx';
import { useNode } from '../state/node.ts';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { PAGES } from './pages.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';

/** Menu, header and the page of the address. Keeps the node's status fresh for all of them. */
export function Shell() {
  useLive(
    (signal) => client.node.watch(undefined, { signal }),
    (status) => useNode.setState({ status }),
  );
  return (
    <Router hook={useHashLocation}>
      <Frame />
    </Router>
  );
}

function Frame() {
  const { t } = useTranslation();
  const [opened, menu] = useDisclosure();
  const name = useNode(({ status }) => status?.name);
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="lg"
    >
      <button type="button" className="skip-link" onClick={focusContent}>
        {t('skipToContent')}
      </button>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t(opened ? 'menu.close' : 'menu.open')}
            />
            <img src="./icon.svg" alt="" width={30} height={30} />
            <Text fw={700} size="lg">
              {t('appName')}
            </Text>
            <Text c="dimmed" size="sm" visibleFrom="sm" truncate maw={260}>
              {name}
            </Text>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <MiningControl />
            <ThemeSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label={t('nav.label')}>
        {PAGES.map((page) => (
          <PageLink key={page.name} page={page} onOpen={menu.close} />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} bg="var(--quarry-page)">
        <ConnectionBanner />
        <Switch>
          {PAGES.map(({ name, path, part = '', Content }) => (
            <Route key={name} path={path + part}>
              <ErrorBoundary>
                <Suspense fallback={<Loader aria-label={t('loading')} />}>
                  <Content />
                </Suspense>
              </ErrorBoundary>
            </Route>
          ))}
          <Route>
            <Redirect to="/" />
          </Route>
        </Switch>
      </AppShell.Main>
    </AppShell>
  );
}

function PageLink({ page, onOpen }: { page: (typeof PAGES)[number]; onOpen: () => void }) {
  const { t } = useTranslation();
  const [location] = useLocation();
  const { icon: PageIcon, name, path } = page;
  const active = location === path || location.startsWith(`${path}/`);
  return (
    <NavLink
      href={`#${path}`}
      label={t(`nav.${name}`)}
      leftSection={<PageIcon size={20} stroke={1.6} aria-hidden />}
      active={active}
      aria-current={active ? 'page' : undefined}
      onClick={onOpen}
      variant="light"
      fw={active ? 600 : undefined}
    />
  );
}

function focusContent(): void {
  document.getElementById('content')?.focus();
}
