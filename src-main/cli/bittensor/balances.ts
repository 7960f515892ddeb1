import type { AccountView } from '../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { WalletView } from '../../../src-preload/contract/wallet.ts';
import { addressUnknown, typed } from '../../bittensor/wallet/refusals.ts';
import type { CommandContext } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { table } from '../terminal/output.ts';
import { ends, roughly, tao } from './amounts.ts';
import { type ChainFlags, withChain } from './chain-node.ts';

/** Where the earnings of a miner are: many look for them in what can be sent. */
export const EARNINGS =
  'What a miner earns is alpha, staked on its hotkey; it becomes TAO that can be sent by: quarry chain unstake';

interface Named {
  name?: string;
  address: string;
}

/** `quarry chain balance`: what accounts have, with whole addresses at the end of the rows, where they can be copied. */
export async function balance(context: CommandContext, who: string[], flags: ChainFlags): Promise<void> {
  const { output } = context;
  await withChain(context, flags, async (node) => {
    const { wallets } = await node.wallet.list();
    const named = addressesOf(wallets, who);
    if (named.length === 0) return output.line('There are no wallets. Make one with: quarry wallet create main');
    const accounts = await node.chain.accounts({ addresses: named.map(({ address }) => address) });
    const owned = accounts.map((account, at) => ({ name: named[at]?.name, ...account }));
    output.document(owned);
    output.line(accountTable(owned));
    const staked = owned.flatMap(({ name, stakes }) => stakes.map((stake) => ({ name, ...stake })));
    if (staked.length === 0) return;
    output.line();
    output.line(stakeTable(staked, hotkeyNames(wallets)));
    output.note(EARNINGS);
  });
}

const accountTable = (accounts: (AccountView & Named)[]) =>
  table(
    ['WHO', 'TAO IN ALL', 'CAN BE SENT', 'STAKED', 'ADDRESS'],
    accounts.map(({ name, address, total, spendable, staked }) => [
      name ?? ends(address),
      ...[tao(total), tao(spendable), roughly(staked), address],
    ]),
  );

const stakeTable = (stakes: (AccountView['stakes'][number] & { name?: string })[], names: Map<string, string>) =>
  table(
    ['WHO', 'SUBNET', 'HOTKEY', 'ALPHA', 'WORTH IN TAO', 'ADDRESS OF THE HOTKEY'],
    stakes.map(({ name = '', netuid, hotkey, amount, worth }) => [
      ...[name, netuid, names.get(hotkey) ?? '–'],
      ...[roughly(amount), roughly(worth), hotkey],
    ]),
  );

/** What this computer's hotkeys are called, by their addresses: `main/default`. */
function hotkeyNames(wallets: readonly WalletView[]): Map<string, string> {
  const named = wallets.flatMap(({ name, hotkeys }) =>
    hotkeys.flatMap((hotkey): [string, string][] =>
      hotkey.address ? [[hotkey.address, `${name}/${hotkey.name}`]] : [],
    ),
  );
  return new Map(named.reverse()); // of two with one address, the first
}

/** What was meant as an address, mistyped ones too: the node says so of those. */
const LIKE_AN_ADDRESS = /^5\w{39,}$/;

/** Names of wallets as the addresses of their coldkeys; what is no name is an address. @throws BAD_REQUEST where that address is not known */
function addressesOf(wallets: readonly WalletView[], who: readonly string[]): Named[] {
  const known = wallets.flatMap(({ name, coldkey }) => (coldkey?.address ? [{ name, address: coldkey.address }] : []));
  const [first] = wallets;
  if (who.length === 0 && known.length === 0 && first) throw noColdkey(first);
  if (who.length === 0) return known;
  return who.map((one) => {
    const wallet = wallets.find(({ name }) => name === one);
    if (wallet && !wallet.coldkey?.address) throw noColdkey(wallet);
    if (!wallet && !LIKE_AN_ADDRESS.test(one)) throw unknownName(one);
    return known.find(({ name }) => name === one) ?? { address: one };
  });
}

const unknownName = (one: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: `«${one}» is no wallet of this computer, and not a Bittensor address.`,
    hint: 'The wallets there are: quarry wallet',
    field: 'who',
  });

/** Why the balance of a wallet is not known, and what to do. */
function noColdkey({ name: wallet, coldkey }: WalletView): QuarryError {
  if (coldkey) return addressUnknown({ wallet }, 'who');
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: `The coldkey of ${wallet} is not on this computer, and not its address either.`,
    hint: `Give its address once: quarry wallet public ${typed({ wallet })} --address 5…`,
    field: 'who',
  });
}

/** What the keys of wallets have: of a coldkey its account, and by hotkey the worth of what these coldkeys have staked there, in rao. */
export async function balancesOf(
  node: NodeClient,
  addresses: string[],
): Promise<{ accounts: AccountView[]; onHotkeys: Map<string, bigint> }> {
  const accounts = addresses.length === 0 ? [] : await node.chain.accounts({ addresses });
  const onHotkeys = new Map<string, bigint>();
  for (const { hotkey, worth } of accounts.flatMap(({ stakes }) => stakes)) {
    onHotkeys.set(hotkey, (onHotkeys.get(hotkey) ?? 0n) + BigInt(worth ?? 0));
  }
  return { accounts, onHotkeys };
}
