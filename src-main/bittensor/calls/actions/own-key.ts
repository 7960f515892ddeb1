import { addressUnknown } from '../../wallet/refusals.ts';
import type { KeyName, Wallets } from '../../wallet/wallets.ts';

/**
 * The address of a key of this computer. Older programs write no public file beside a hotkey: then the list of wallets opens the plain one.
 * @throws BAD_REQUEST where there is no such key, and where nothing tells its address
 */
export async function addressOfKey(wallets: Pick<Wallets, 'find' | 'list'>, name: KeyName): Promise<string> {
  const { address, sealing } = await wallets.find(name);
  if (address !== null) return address;
  const listed = sealing === 'plain' ? await listedAddress(wallets, name) : null;
  if (listed) return listed;
  throw addressUnknown(name, name.hotkey === undefined ? 'wallet' : 'hotkey');
}

async function listedAddress(wallets: Pick<Wallets, 'list'>, { wallet, hotkey }: KeyName): Promise<string | null> {
  const found = (await wallets.list()).find(({ name }) => name === wallet);
  const key = hotkey === undefined ? found?.coldkey : found?.hotkeys.find(({ name }) => name === hotkey);
  return key?.address ?? null;
}
