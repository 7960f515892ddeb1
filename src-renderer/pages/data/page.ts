import { IconMovie } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconMovie, async () => (await import('./Data.tsx')).Data);
