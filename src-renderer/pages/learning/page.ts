import { IconSchool } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconSchool, async () => (await import('./Learning.tsx')).Learning);
