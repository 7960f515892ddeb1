import type { Wallets } from '../wallet/wallets.ts';

/** The names of this computer's hotkeys, by their addresses. */
export type OwnHotkeys = ReadonlyMap<string, { wallet: string; hotkey: string }>;

/** Of hotkeys with one address, the first. */
export async function ownHotkeys(wallets: Pick<Wallets, 'list'>): Promise<OwnHotkeys> {
  const names = (await wallets.list()).flatMap((wallet) =>
    wallet.hotkeys.flatMap(({ address, name }) =>
      address === null ? [] : [[address, { wallet: wallet.name, hotkey: name }] as const],
    ),
  );
  return new Map(names.reverse());
}
