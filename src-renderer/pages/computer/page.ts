import { IconDeviceDesktop } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconDeviceDesktop, async () => (await import('./Computer.tsx')).Computer);
