import { IconTrophy } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconTrophy, async () => (await import('./Competitions.tsx')).Competitions);
