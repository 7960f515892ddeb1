import type { verifyText, Wallets } from '../../../bittensor/wallet/wallets.ts';
import type { Core } from '../core.ts';

/** Keys of Bittensor on this computer. What signs takes a while to load, so it is loaded by the first who wants it. */
export interface WalletPart {
  wallets(): Promise<Wallets>;
  verify: (...signed: Parameters<typeof verifyText>) => Promise<boolean>;
}

export function openWallet({ config, ports, onClose }: Pick<Core, 'config' | 'ports' | 'onClose'>): WalletPart {
  let opened: Promise<Wallets> | undefined;
  const load = () => import('../../../bittensor/wallet/wallets.ts');
  const open = async () =>
    new (await load()).Wallets({ folder: config.bittensor.walletFolder, spawner: ports.spawner });
  onClose(async () => (await opened)?.close());
  return {
    wallets() {
      opened ??= open();
      return opened;
    },
    verify: async (...signed) => (await load()).verifyText(...signed),
  };
}
