import type { Command } from 'commander';
import { SS58_LOOKS } from '../../../src-preload/contract/address-looks.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { addressUnknown } from '../../bittensor/wallet/refusals.ts';
import { integer } from '../terminal/arguments.ts';
import type { CommandContext } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';

/** Options that say whose call it is. */
export interface KeyFlags {
  wallet?: string;
  hotkey?: string;
}

export const withWallet = (command: Command): Command =>
  command.option('--wallet <name>', 'the wallet (default: axon.wallet, or the only one there is)');

export const withHotkey = (command: Command): Command =>
  withWallet(command).option('--hotkey <name>', 'a hotkey of it (default: axon.hotkey, which is «default»)');

export const netuidArgument = integer(0, 65_535);

/**
 * The wallet that is meant: what is said or set, else the only one that has the key.
 * @param hotkey which is to work; undefined: the coldkey is
 * @throws BAD_REQUEST where there are several, or none
 */
export async function chosenWallet(
  { config }: Pick<CommandContext, 'config'>,
  node: NodeClient,
  { wallet }: Pick<KeyFlags, 'wallet'>,
  hotkey?: string,
): Promise<string> {
  const chosen = wallet ?? config.axon.wallet;
  if (chosen !== undefined) return chosen;
  const { wallets, folder } = await node.wallet.list();
  const fitting = wallets.filter(({ coldkey, hotkeys }) =>
    hotkey === undefined ? coldkey !== null : hotkeys.some(({ name }) => name === hotkey),
  );
  const [only, ...others] = fitting.length > 0 ? fitting : wallets; // of one without the key it is said what is missing
  if (only && others.length === 0) return only.name;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: only ? 'There are several wallets.' : `There is no wallet in ${folder}.`,
    hint: only
      ? `Say which: --wallet ${[only, ...others].map(({ name }) => name).join(', --wallet ')}`
      : 'Make one with: quarry wallet create main',
    field: 'wallet',
  });
}

/** The wallet and hotkey that are meant. */
export async function chosenKey(
  context: Pick<CommandContext, 'config'>,
  node: NodeClient,
  flags: KeyFlags,
): Promise<{ wallet: string; hotkey: string }> {
  const hotkey = flags.hotkey ?? context.config.axon.hotkey;
  return { wallet: await chosenWallet(context, node, flags, hotkey), hotkey };
}

/** The address of who is paid: itself, or of the coldkey of an own wallet by its name. What is neither goes on: the node says what is wrong. */
export async function payeeAddress(node: NodeClient, text: string): Promise<string> {
  if (SS58_LOOKS.test(text)) return text;
  const { wallets } = await node.wallet.list();
  return wallets.find(({ name }) => name === text)?.coldkey?.address ?? text;
}

/**
 * The address of a hotkey: itself, the name of an own hotkey of a wallet, or `wallet/name`.
 * @throws BAD_REQUEST with the field `hotkey` for a name that is none, and where the address of that key is not known
 */
export async function hotkeyAddress(node: NodeClient, wallet: string, text: string): Promise<string> {
  if (SS58_LOOKS.test(text)) return text;
  const slash = text.indexOf('/');
  const [of, name] = slash < 0 ? [wallet, text] : [text.slice(0, slash), text.slice(slash + 1)];
  const { wallets } = await node.wallet.list();
  const found = wallets.find((one) => one.name === of)?.hotkeys.find((hotkey) => hotkey.name === name);
  if (found?.address) return found.address;
  if (found) throw addressUnknown({ wallet: of, hotkey: name }, 'hotkey');
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: `${text} is neither an address nor a hotkey of the wallet ${of}.`,
    hint: 'Copy the whole address, or name an own hotkey as quarry wallet list does: default, or main/default.',
    field: 'hotkey',
  });
}
