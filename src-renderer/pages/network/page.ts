import { IconTopologyStar3 } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconTopologyStar3, async () => (await import('./Network.tsx')).Network);
