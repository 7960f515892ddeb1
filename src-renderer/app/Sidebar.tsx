import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { PAGES } from '../../src-preload/contract/domains.ts';
import { type PageGroup, type PageName, pagesOf } from '../../src-preload/contract/pages.ts';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Key } from '../components/Key.tsx';
import { useFormat } from '../i18n/format.ts';
import { useNode } from '../state/node.ts';
import { isHeld, useRecording } from '../state/recording.ts';
import { FIND_KEYS, openFinder } from './finder.ts';
import classes from './frame.module.css';
import { screenOf } from './pages.ts';
import { useOpenPage } from './use-open-page.ts';

const GROUPS = ['earn', 'work', 'use'] as const satisfies readonly PageGroup[];

/** The pages in their groups, and this computer. @param onOpen called when a link was followed */
export function Sidebar({ onOpen }: { onOpen?: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <div className={classes.mark}>
        <img src="./icon.svg" alt="" width={24} height={24} />
        {t('appName')}
        <UnstyledButton ml="auto" onClick={openFinder}>
          <VisuallyHidden>{t('finder.open')}</VisuallyHidden>
          <Key>{FIND_KEYS}</Key>
        </UnstyledButton>
      </div>
      {GROUPS.map((group) => (
        <PageLinks key={group} group={group} onOpen={onOpen} />
      ))}
      <div className={classes.rest}>
        <PageLinks group="system" onOpen={onOpen} />
        <ThisComputer onOpen={onOpen} />
      </div>
    </>
  );
}

interface LinksProps {
  group: Exclude<PageGroup, 'foot'>;
  onOpen: (() => void) | undefined;
}

/** The pages of one group, under its name; nothing where this node's role has none of them. */
function PageLinks({ group, onOpen }: LinksProps) {
  const { t } = useTranslation();
  const role = useNode(({ status }) => status?.role);
  const pages = pagesOf(group, role, PAGES);
  if (pages.length === 0) return null;
  return (
    <nav className={classes.group} aria-label={t(`nav.group.${group}`)}>
      {group !== 'system' && (
        <p className={classes.groupName} aria-hidden>
          {t(`nav.group.${group}`)}
        </p>
      )}
      {pages.map(({ name, path }) => (
        <PageLink key={name} name={name} path={path} onOpen={onOpen} />
      ))}
    </nav>
  );
}

function PageLink({ name, path, onOpen }: { name: PageName; path: string; onOpen: (() => void) | undefined }) {
  const { t } = useTranslation(name);
  const open = useOpenPage();
  const { icon: PageIcon } = screenOf(name);
  return (
    <a
      className={classes.link}
      href={`#${path}`}
      aria-current={open?.name === name ? 'page' : undefined}
      onClick={onOpen}
    >
      <PageIcon size={18} stroke={1.6} aria-hidden />
      {t('title')}
      {name === 'network' && <PeerCount />}
      {name === 'focus' && <RecordingDot />}
    </a>
  );
}

function PeerCount() {
  const format = useFormat();
  const peers = useNode(({ status }) => status?.peers);
  if (!peers) return null;
  return <span className={classes.count}>{format.number(peers)}</span>;
}

/** While this page records, whichever of its screens is open. */
function RecordingDot() {
  const { t } = useTranslation('focus');
  const phase = useRecording(({ now }) => (now?.controls ? now.phase : undefined));
  if (!phase) return null;
  return (
    <span className={classes.recording} data-held={isHeld(phase) || undefined} title={t(`phase.${phase}`)}>
      <VisuallyHidden>{t(`phase.${phase}`)}</VisuallyHidden>
    </span>
  );
}

/** Its name and what it computes with; leads to all that is known of it. */
function ThisComputer({ onOpen }: { onOpen: (() => void) | undefined }) {
  const { t } = useTranslation('computer');
  const format = useFormat();
  const open = useOpenPage();
  const name = useNode(({ status }) => status?.name);
  const { data } = useAnswer(api.node.hardware.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const gpu = data?.gpus.value?.[0];
  const processor = gpu ?? (data?.cpu.value && { name: data.cpu.value.model, vramTotal: data.memory.value?.total });
  const memory = processor?.vramTotal;
  return (
    <div className={classes.foot}>
      <a
        className={classes.computer}
        href="#/computer"
        aria-current={open?.name === 'computer' ? 'page' : undefined}
        {...(onOpen && { onClick: onOpen })}
      >
        <span>
          <VisuallyHidden>{t('title')}</VisuallyHidden>
          <span>{name}</span>
          <small>
            {[processor && shortNames(processor), memory && format.bytes(memory)].filter(Boolean).join(' · ')}
          </small>
        </span>
        <IconDeviceDesktop size={18} stroke={1.6} aria-hidden />
      </a>
    </div>
  );
}

/** «RTX 4090 + 2» for three cards that work as one. */
function shortNames({ name, devices = [name] }: { name: string; devices?: string[] | undefined }): string {
  const [first = name, ...others] = devices;
  return others.length > 0 ? `${shortName(first)} + ${others.length}` : shortName(first);
}

/** «NVIDIA GeForce RTX 3060» as «RTX 3060»: the makers' words need more room than there is. */
function shortName(processor: string): string {
  return processor
    .replace(/\((R|TM)\)|NVIDIA|GeForce|Intel|AMD|Apple(?= M\d)|\bCPU\b|@.*$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
