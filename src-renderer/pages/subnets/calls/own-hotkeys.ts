import type { WalletView } from '../../../../src-preload/contract/wallet.ts';

/** A hotkey of this computer. */
export interface OwnHotkey {
  wallet: string;
  hotkey: string;
  /** ss58 */
  address: string;
}

/** Hotkeys whose key is here, so that it can sign. */
export function keptHotkeys(wallets: readonly WalletView[]): OwnHotkey[] {
  return wallets.flatMap(({ name, hotkeys }) =>
    hotkeys.flatMap(({ name: hotkey, address, sealing }) =>
      address === null || sealing === null ? [] : [{ wallet: name, hotkey, address }],
    ),
  );
}

/** Hotkeys whose coldkey is here, so that it can pay for them; with its address. */
export function payableHotkeys(wallets: readonly WalletView[]): (OwnHotkey & { coldkey: string })[] {
  return wallets.flatMap(({ name, coldkey, hotkeys }) => {
    if (!coldkey?.sealing || coldkey.address === null) return [];
    const payer = coldkey.address;
    return hotkeys.flatMap(({ name: hotkey, address }) =>
      address === null ? [] : [{ wallet: name, hotkey, address, coldkey: payer }],
    );
  });
}

/** Names hold no slash. */
export function keyOfHotkey({ wallet, hotkey }: Pick<OwnHotkey, 'wallet' | 'hotkey'>): string {
  return `${wallet}/${hotkey}`;
}
