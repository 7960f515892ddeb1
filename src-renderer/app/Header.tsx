import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageName } from '../../src-preload/contract/pages.ts';
import { type PageWithPlaces, pathOfPlace, usePlace } from '../components/page/place.ts';
import { StatusPill } from '../components/status/StatusPill.tsx';
import { useFormat } from '../i18n/format.ts';
import { underWay, useDownloads } from '../state/downloads.ts';
import classes from './frame.module.css';
import { screenOf } from './pages.ts';
import { RecordingChip } from './RecordingChip.tsx';
import { useOpenPage } from './use-open-page.ts';

/** Beside more tabs the state has room for its word alone; beside fewer, where the window is narrow. */
const MOST_TABS_BESIDE_REASON = 5;

/** The title of the open page, its tabs, and how mining stands. */
export function Header({ menuButton }: { menuButton: ReactNode }) {
  const page = useOpenPage();
  const places = page && 'places' in page ? page.places : [];
  const Beside = page && screenOf(page.name).Beside;
  return (
    <header className={classes.head}>
      {menuButton}
      {page && <PageTitle name={page.name} />}
      {page && 'places' in page && <Tabs key={page.name} name={page.name} places={places} />}
      <span className={classes.space} />
      {Beside && <Beside />}
      <RecordingChip />
      <StatusPill short={places.length > MOST_TABS_BESIDE_REASON || (places.length > 0 && 'narrow')} />
    </header>
  );
}

function PageTitle({ name }: { name: PageName }) {
  const { t } = useTranslation(name);
  return <Title order={1}>{t('title')}</Title>;
}

function Tabs({ name, places }: { name: PageWithPlaces; places: readonly string[] }) {
  const { t } = useTranslation(name);
  const open = usePlace(name);
  const tabs = useRef<HTMLElement>(null);
  // On a phone there are more tabs than fit.
  useEffect(() => {
    const tab = tabs.current?.querySelector(`[href="#${pathOfPlace(name, open)}"]`);
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [name, open]);
  return (
    <nav ref={tabs} className={classes.tabs} aria-label={t('title')}>
      {places.map((place) => (
        <a key={place} href={`#${pathOfPlace(name, place)}`} aria-current={place === open ? 'page' : undefined}>
          {t(`place.${place}`)}
          {place === 'downloads' && <DownloadCount />}
        </a>
      ))}
    </nav>
  );
}

function DownloadCount() {
  const format = useFormat();
  const { downloads } = useDownloads();
  const running = downloads?.filter(underWay).length ?? 0;
  return running > 0 && <span>{format.number(running)}</span>;
}
