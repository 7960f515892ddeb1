import { IconAffiliate } from '@tabler/icons-react';
import { NetworkChip } from '../../components/chain/NetworkChip.tsx';
import { screen } from '../../components/screen.ts';

export const page = screen(IconAffiliate, async () => (await import('./Subnets.tsx')).Subnets, NetworkChip);
