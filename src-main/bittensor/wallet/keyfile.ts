import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { shellWord } from '../../base/shell-word.ts';
import { MAX_KEYFILE_BYTES } from './key-record.ts';

/** Who may read and write what belongs to a wallet. */
export const OWNER_ONLY = 0o600;
export const OWNER_ONLY_FOLDER = 0o700;
/** Others may write; in a sticky folder they cannot replace what is not theirs. */
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
const ROOT = 0;
/** Where a wallet keeps them (Bittensor §2). */
export const HOTKEYS = 'hotkeys';

/**
 * The bytes of a file of a wallet, or of its beginning.
 * @throws BAD_REQUEST when it is none, is larger than any keyfile, or others own or may write it or its folders: they could have put another key there; what the system says where it cannot be read
 */
export async function readKeyfile(path: string, most = MAX_KEYFILE_BYTES): Promise<Buffer> {
  const folders = foldersOf(path);
  const allWallets = folders.at(-1) ?? dirname(path);
  for (const folder of folders) refuseOthers(await stat(folder), folder, allWallets);
  // Without waiting: a pipe in its place would keep whoever opens it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw refused(say('bittensor.wallet.noKeyfile'));
    if (stats.size > MAX_KEYFILE_BYTES) throw refused(say('bittensor.wallet.tooLarge'));
    refuseOthers(stats, path, allWallets);
    const bytes = Buffer.alloc(Math.min(stats.size, most));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The folders of a key up to the one of all wallets: whoever may write one of them can put another key there. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  const wallet = basename(folder) === HOTKEYS ? [folder, dirname(folder)] : [folder];
  return [...wallet, dirname(wallet.at(-1) ?? folder)];
}

/** @throws BAD_REQUEST for a file or folder that another user owns or may write; its hint mends the folder of all wallets at once */
function refuseOthers(stats: Pick<Stats, 'mode' | 'uid'>, path: string, allWallets: string): void {
  if (isWritableByOthers(stats)) throw writable(path, allWallets);
  const me = process.getuid?.() ?? ROOT;
  if (me === ROOT || stats.uid === me || stats.uid === ROOT) return;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('bittensor.wallet.foreign', { path }),
    hint: say('bittensor.wallet.copyForeign'),
  });
}

/** On Windows the modes of files say nothing; there the folder of a user is his own. */
const isWritableByOthers = ({ mode }: Pick<Stats, 'mode'>): boolean =>
  process.platform !== 'win32' && (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0;

const writable = (path: string, allWallets: string): QuarryError =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('bittensor.wallet.writable', { path }),
    hint: say('bittensor.wallet.makeOwn', { folder: shellWord(allWallets) }),
  });

const refused = (message: Saying) => new QuarryError({ code: 'BAD_REQUEST', message });
