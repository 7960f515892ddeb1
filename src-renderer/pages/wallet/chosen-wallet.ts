import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { WalletView } from '../../../src-preload/contract/wallet.ts';
import type { WalletList } from './wallet-list.ts';

/** The wallet that was looked at last, in this browser. */
export const useChosen = create<{ name: string }>()(persist(() => ({ name: '' }), { name: 'quarry-wallet' }));

/** A wallet whose coldkey's address is known: it has a balance. */
export type FundedWallet = WalletView & { coldkey: { address: string } };

/** Those that have a balance, and the one that was chosen, or else the first. */
export function useChosenWallet({ wallets }: WalletList): { wallet: FundedWallet | undefined; all: FundedWallet[] } {
  const { name } = useChosen();
  const all = wallets.filter((wallet): wallet is FundedWallet => typeof wallet.coldkey?.address === 'string');
  return { wallet: all.find((wallet) => wallet.name === name) ?? all[0], all };
}
