import { IconMessageCircle } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconMessageCircle, async () => (await import('./Playground.tsx')).Playground);
