import { IconSettings } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconSettings, async () => (await import('./Settings.tsx')).Settings);
