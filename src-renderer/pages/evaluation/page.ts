import { IconGrid4x4 } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconGrid4x4, async () => (await import('./Evaluation.tsx')).Evaluation);
