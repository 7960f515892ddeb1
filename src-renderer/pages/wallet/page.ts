import { IconWallet } from '@tabler/icons-react';
import { NetworkChip } from '../../components/chain/NetworkChip.tsx';
import { screen } from '../../components/screen.ts';

export const page = screen(IconWallet, async () => (await import('./Wallet.tsx')).Wallet, NetworkChip);
