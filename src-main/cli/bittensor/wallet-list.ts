import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { refusalsOf, typed } from '../../bittensor/wallet/refusals.ts';
import type { FoundKey, FoundWallet } from '../../bittensor/wallet/wallet-folder.ts';
import type { CommandContext } from '../terminal/command.ts';
import { errorText, table } from '../terminal/output.ts';
import { roughly, tao } from './amounts.ts';
import { balancesOf, EARNINGS } from './balances.ts';
import { type ChainFlags, withChain } from './chain-node.ts';
import { openWallets } from './keys.ts';

const KINDS: Record<NonNullable<FoundKey['sealing']> | 'none', string> = {
  plain: 'no password',
  nacl: 'encrypted',
  fernet: 'encrypted (old)',
  ansible: 'encrypted (old)',
  unknown: 'not used as it is',
  none: 'address only',
};

/** Of one question. */
const MOST_ACCOUNTS = 64;

/** What the chain gives while it is away. */
const AWAY: ReadonlySet<ErrorCode> = new Set(['CHAIN_UNREACHABLE', 'DEADLINE']);

/** `quarry wallet list`: all keys with their whole addresses, what they have if that is asked for, and what is missing. */
export async function listWallets(
  context: CommandContext,
  { balances, ...flags }: ChainFlags & { balances?: boolean },
): Promise<void> {
  const { config, output } = context;
  const wallets = await openWallets(config);
  const found = await wallets.list();
  const owned = balances ? await ownedBy(context, found, flags) : undefined;
  const refusals = refusalsOf(found);
  output.document({
    folder: wallets.folder,
    wallets: found,
    refusals,
    ...(balances && { balances: owned?.accounts ?? null }),
  });
  if (found.length === 0)
    return output.line(`No wallets in ${wallets.folder}. Make one with: quarry wallet create main`);
  const row = (name: string, { address, sealing, lacksPublic }: FoundKey) => [
    ...[name, address ?? (sealing === 'unknown' ? '(not read)' : '(locked)')],
    `${KINDS[sealing ?? 'none']}${lacksPublic ? ', no public file' : ''}`,
    ...(owned ? has(address, owned) : []),
  ];
  const rows = found.flatMap(({ name, coldkey, hotkeys }) => [
    coldkey ? row(name, coldkey) : [name, '(elsewhere)', 'no coldkey'],
    ...hotkeys.map((hotkey) => row(`  ${hotkey.name}`, hotkey)),
  ]);
  output.line(table(['WALLET, HOTKEYS', 'ADDRESS', 'FILE', ...(owned ? ['CAN BE SENT', 'STAKED'] : [])], rows));
  if (owned && owned.onHotkeys.size > 0) output.note(EARNINGS);
  for (const refusal of refusals) output.note(errorText(refusal));
  for (const missing of found.flatMap(missingOf)) output.note(missing);
}

/** What the keys have; undefined, and a note why, where the chain is away: the wallets are here all the same. */
async function ownedBy(context: CommandContext, found: readonly FoundWallet[], flags: ChainFlags) {
  try {
    return await withChain(context, flags, (node) => balancesOf(node, coldkeysOf(found)));
  } catch (thrown) {
    const error = QuarryError.from(thrown);
    if (!AWAY.has(error.code)) throw error;
    context.output.note(`! Without balances. ${[error.message, error.hint].filter(Boolean).join(' ')}`);
    return undefined;
  }
}

/** What of a wallet is not here, and the command that mends it. */
function missingOf({ name: wallet, coldkey, hotkeys }: FoundWallet): string[] {
  const keys = [
    ...(coldkey ? [{ wallet, ...coldkey }] : []),
    ...hotkeys.map((key) => ({ ...key, wallet, hotkey: key.name })),
  ];
  const files = keys
    .filter(({ lacksPublic }) => lacksPublic)
    .map((key) => `! The public file of ${typed(key)} is missing. Write it again: quarry wallet public ${typed(key)}`);
  const elsewhere = `! The coldkey of ${wallet} is not here. To look at its balance: quarry wallet public ${typed({ wallet })} --address 5…`;
  return coldkey ? files : [...files, elsewhere];
}

/** The addresses of coldkeys, each once, as many as can be asked for at a time. */
const coldkeysOf = (wallets: readonly FoundWallet[]) =>
  [...new Set(wallets.flatMap(({ coldkey }) => coldkey?.address ?? []))].slice(0, MOST_ACCOUNTS);

/** What can be sent from an address, and what it has staked; of a hotkey, what is staked there. TAO. */
function has(address: string | null, { accounts, onHotkeys }: Awaited<ReturnType<typeof balancesOf>>): string[] {
  const account = accounts.find((one) => one.address === address);
  if (account) return [tao(account.spendable), roughly(account.staked)];
  const staked = onHotkeys.get(address ?? '');
  return ['', staked === undefined ? '' : roughly(String(staked))];
}
