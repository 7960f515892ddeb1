import type { ErrorView } from '../../../src-preload/contract/error-schema.ts';
import type { WalletKey, WalletView } from '../../../src-preload/contract/wallet.ts';

/** What main tells of the wallets of this computer. */
export interface WalletList {
  folder: string;
  wallets: WalletView[];
  /** Why some of their files are not used as they are: each way of mending once. */
  refusals: ErrorView[];
  confidential: boolean;
}

/** A key by its name: the coldkey of a wallet, or one of its hotkeys. */
export interface NamedKey extends WalletKey {
  wallet: string;
  /** Absent of a coldkey. */
  hotkey?: string;
}

/** All keys of a wallet, its coldkey first. */
export function keysOf({ name: wallet, coldkey, hotkeys }: WalletView): NamedKey[] {
  const all = hotkeys.map(({ name: hotkey, ...key }) => ({ wallet, hotkey, ...key }));
  return coldkey ? [{ wallet, ...coldkey }, ...all] : all;
}

/** Keys whose name, or whose wallet's, or whose address has a text in it, as it is typed. */
export function findKeys(keys: readonly NamedKey[], text: string): NamedKey[] {
  const wanted = text.trim().toLowerCase();
  return keys.filter(({ wallet, hotkey = '', address }) =>
    [wallet, hotkey, address ?? ''].some((one) => one.toLowerCase().includes(wanted)),
  );
}

/** What tells a key from all others. */
export const keyId = ({ wallet, hotkey }: NamedKey): string => `${wallet}\n${hotkey ?? ''}`;
