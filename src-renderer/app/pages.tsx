import {
  type Icon,
  IconCoins,
  IconCube,
  IconLayoutDashboard,
  IconMessageCircle,
  IconSettings,
  IconTopologyStar3,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import type { PageName } from '../../src-preload/contract/pages.ts';

interface Screen {
  icon: Icon;
  Content: ComponentType;
}

/** What each page of the contract's list looks like; each is fetched when it is first opened. */
export const SCREENS: Record<PageName, Screen> = {
  dashboard: screen(IconLayoutDashboard, async () => (await import('../pages/dashboard/Dashboard.tsx')).Dashboard),
  earnings: screen(IconCoins, async () => (await import('../pages/earnings/Earnings.tsx')).Earnings),
  models: screen(IconCube, async () => (await import('../pages/models/Models.tsx')).Models),
  playground: screen(IconMessageCircle, async () => (await import('../pages/playground/Playground.tsx')).Playground),
  network: screen(IconTopologyStar3, async () => (await import('../pages/network/Network.tsx')).Network),
  settings: screen(IconSettings, async () => (await import('../pages/settings/Settings.tsx')).Settings),
};

function screen(icon: Icon, load: () => Promise<ComponentType>): Screen {
  return { icon, Content: lazy(async () => ({ default: await load() })) };
}
