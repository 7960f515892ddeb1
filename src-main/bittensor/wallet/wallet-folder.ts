import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { severalAtOnce } from '../../base/several-at-once.ts';
import { ifMissing, ignoring } from '../../base/swallowed.ts';
import { readAddress } from './key-record.ts';
import { HOTKEYS, readKeyfile } from './keyfile.ts';
import { PREFIX_BYTES, type Sealing, sealingOf } from './keyfile-cipher.ts';

/** Names of wallets and hotkeys: what every file system takes, and no path. */
export const WALLET_NAME = /^(?!\.)[\p{L}\p{N} ._-]{1,64}(?<![. ])$/u;
/** Folders that are looked at: nobody has more, and a folder of others may. */
const MOST = 1_000;
/** Looked at at a time: the system lets a program open some hundred files or more. */
const WALLETS_AT_ONCE = 4;
const HOTKEYS_AT_ONCE = 16;
const PUBLIC = 'pub.txt';

/** Where the two files of a key are (Bittensor §2). */
export interface KeyFiles {
  file: string;
  publicFile: string;
}

/** A key, as its files say without a password. */
export interface FoundKey extends KeyFiles {
  /** Null where its public file is missing, and for one that is not read as it is. */
  address: string | null;
  /** Null where there is a public file alone: a wallet that is only watched. `unknown`: a file that is not read as it is, for `refused`. */
  sealing: Sealing | 'unknown' | null;
  /** The key is there and its public file is missing: `writePublic` writes it. */
  lacksPublic?: true;
  /** Why one of its files is not read as it is. */
  refused?: QuarryError;
}

/** A key whose file is read. */
export type UsableKey = FoundKey & { sealing: Sealing | null };

export interface FoundWallet {
  name: string;
  /** Null where there are hotkeys alone. */
  coldkey: FoundKey | null;
  hotkeys: (FoundKey & { name: string })[];
}

/** The files of a wallet's coldkey, or of one of its hotkeys. @throws BAD_REQUEST for a name that is none */
export function filesOf(folder: string, wallet: string, hotkey?: string): KeyFiles {
  const of = join(folder, checkedName(wallet, 'wallet'));
  if (hotkey === undefined) return { file: join(of, 'coldkey'), publicFile: join(of, `coldkey${PUBLIC}`) };
  const file = join(of, HOTKEYS, checkedName(hotkey, 'hotkey'));
  return { file, publicFile: file + PUBLIC };
}

/** The wallets of a folder by name, as the official software lays them out. What is none is passed over. */
export async function findWallets(folder: string): Promise<FoundWallet[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(ifMissing)) ?? [];
  const names = entries.filter((entry) => !entry.isFile() && WALLET_NAME.test(entry.name)).map(({ name }) => name);
  const wallets = await severalAtOnce(names.sort().slice(0, MOST), WALLETS_AT_ONCE, (name) => findWallet(folder, name));
  return wallets.filter(({ coldkey, hotkeys }) => coldkey || hotkeys.length > 0);
}

async function findWallet(folder: string, name: string): Promise<FoundWallet> {
  const unread = ignoring('a wallet without a readable folder of hotkeys has none to show');
  const files = ((await readdir(join(folder, name, HOTKEYS)).catch(unread)) ?? []).sort().slice(0, 2 * MOST);
  const bare = files.map((file) => (file.endsWith(PUBLIC) ? file.slice(0, -PUBLIC.length) : file));
  const hotkeys = [...new Set(bare)].filter((hotkey) => WALLET_NAME.test(hotkey));
  const found = await severalAtOnce(hotkeys, HOTKEYS_AT_ONCE, async (hotkey) => ({
    name: hotkey,
    ...(await look(filesOf(folder, name, hotkey))),
  }));
  const coldkey = await look(filesOf(folder, name));
  return { name, coldkey: isThere(coldkey) ? coldkey : null, hotkeys: found.filter(isThere) };
}

const isThere = ({ address, sealing, refused }: FoundKey) => address !== null || sealing !== null || Boolean(refused);

/** What can be seen of a key without its password. */
export async function look(files: KeyFiles): Promise<FoundKey> {
  const [open, secret] = await Promise.all([
    told(files.publicFile, async (file) => readAddress(await readKeyfile(file))),
    told(files.file, async (file) => sealingOf(await readKeyfile(file, PREFIX_BYTES))),
  ]);
  const address = open instanceof QuarryError ? null : open;
  const sealing = secret instanceof QuarryError ? 'unknown' : secret;
  const refused = [secret, open].find((one) => one instanceof QuarryError);
  const lacksPublic = open === null && sealing !== null && sealing !== 'unknown';
  return { ...files, address, sealing, ...(lacksPublic && { lacksPublic }), ...(refused && { refused }) };
}

/** What a file tells; null where there is none, and the reason where it is not read as it is. */
async function told<T>(file: string, read: (file: string) => Promise<T>): Promise<T | QuarryError | null> {
  const there = await stat(file).catch(ignoring('what is no wallet is passed over'));
  if (!there?.isFile()) return null;
  try {
    return await read(file);
  } catch (error) {
    return error instanceof QuarryError ? error : unreadable(file, error);
  }
}

function unreadable(path: string, error: unknown): QuarryError {
  const reason = error instanceof Error ? error.message : String(error);
  return new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.unreadable', { path, reason }) });
}

function checkedName(name: string, field: 'wallet' | 'hotkey'): string {
  if (WALLET_NAME.test(name) && !name.endsWith(PUBLIC)) return name;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.noName'), field });
}
