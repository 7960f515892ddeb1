import { IconLayoutDashboard } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconLayoutDashboard, async () => (await import('./Dashboard.tsx')).Dashboard);
