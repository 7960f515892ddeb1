import { IconPlugConnected } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconPlugConnected, async () => (await import('./Connect.tsx')).Connect);
