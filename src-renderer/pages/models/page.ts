import { IconCube } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconCube, async () => (await import('./Models.tsx')).Models);
