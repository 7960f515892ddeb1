import { IconScreenShare } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconScreenShare, async () => (await import('./Focus.tsx')).Focus);
