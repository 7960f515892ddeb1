import { IconCoins } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconCoins, async () => (await import('./Earnings.tsx')).Earnings);
