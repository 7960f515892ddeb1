import { AppShell, Box, Burger, Group, Loader, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { PAGES } from '../../src-preload/contract/domains.ts';
import { PAGE_GROUPS, type PageGroup, type PageName, pagesOf } from '../../src-preload/contract/pages.ts';
import { client } from '../api/client.ts';
import { useLive } from '../api/live.ts';
import { ConnectionBanner } from '../components/ConnectionBanner.tsx';
import { MiningControl } from '../components/MiningControl.tsx';
import { ThemeSwitch } from '../components/ThemeSwitch.tsx';
import { useNode } from '../state/node.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { screenOf } from './pages.ts';

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
        <Group h="100%" px={{ base: 'xs', xs: 'md' }} justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t(opened ? 'menu.close' : 'menu.open')}
            />
            <img src="./icon.svg" alt="" width={30} height={30} />
            <Text fw={700} size="lg" visibleFrom="xs">
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
        {PAGE_GROUPS.map((group) => (
          <PageLinks key={group} group={group} onOpen={menu.close} />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} bg="var(--quarry-page)">
        <ConnectionBanner />
        <Switch>
          {PAGES.map((page) => (
            <Route key={page.name} path={'places' in page ? `${page.path}/:place?` : page.path}>
              <Page name={page.name} />
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

function Page({ name }: { name: PageName }) {
  const { t } = useTranslation();
  const { Content } = screenOf(name);
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loader aria-label={t('loading')} />}>
        <Content />
      </Suspense>
    </ErrorBoundary>
  );
}

/** The pages of one group, under its name; nothing where this node's role has none of them. */
function PageLinks({ group, onOpen }: { group: PageGroup; onOpen: () => void }) {
  const { t } = useTranslation();
  const role = useNode(({ status }) => status?.role);
  const pages = pagesOf(group, role, PAGES);
  if (pages.length === 0) return null;
  return (
    <Box role="group" aria-label={t(`nav.group.${group}`)} mb="sm">
      <Text size="xs" fw={600} c="dimmed" px="sm" pb={2} aria-hidden>
        {t(`nav.group.${group}`)}
      </Text>
      {pages.map(({ name, path }) => (
        <PageLink key={name} name={name} path={path} onOpen={onOpen} />
      ))}
    </Box>
  );
}

function PageLink({ name, path, onOpen }: { name: PageName; path: string; onOpen: () => void }) {
  const { t: pageText } = useTranslation(name);
  const [location] = useLocation();
  const { icon: PageIcon } = screenOf(name);
  const active = location === path || location.startsWith(`${path}/`);
  return (
    <NavLink
      href={`#${path}`}
      label={pageText('title')}
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
