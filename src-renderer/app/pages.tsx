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

interface Page {
  /** The part of the address behind `#/`, and the name of its text. */
  name: 'dashboard' | 'earnings' | 'models' | 'playground' | 'network' | 'settings';
  path: string;
  /** What may follow the path: the part of the page that is open. */
  part?: string;
  icon: Icon;
  Content: ComponentType;
}

/** The pages, in the order of the menu; each is fetched when it is first opened. */
export const PAGES: readonly Page[] = [
  {
    name: 'dashboard',
    path: '/',
    icon: IconLayoutDashboard,
    Content: lazy(async () => ({ default: (await import('../pages/dashboard/Dashboard.tsx')).Dashboard })),
  },
  {
    name: 'earnings',
    path: '/earnings',
    icon: IconCoins,
    Content: lazy(async () => ({ default: (await import('../pages/earnings/Earnings.tsx')).Earnings })),
  },
  {
    name: 'models',
    path: '/models',
    part: '/:tab?',
    icon: IconCube,
    Content: lazy(async () => ({ default: (await import('../pages/models/Models.tsx')).Models })),
  },
  {
    name: 'playground',
    path: '/playground',
    icon: IconMessageCircle,
    Content: lazy(async () => ({ default: (await import('../pages/playground/Playground.tsx')).Playground })),
  },
  {
    name: 'network',
    path: '/network',
    icon: IconTopologyStar3,
    Content: lazy(async () => ({ default: (await import('../pages/network/Network.tsx')).Network })),
  },
  {
    name: 'settings',
    path: '/settings',
    part: '/:section?',
    icon: IconSettings,
    Content: lazy(async () => ({ default: (await import('../pages/settings/Settings.tsx')).Settings })),
  },
];
