import { readFile, stat } from 'node:fs/promises';
import { writeAtomically } from '../../base/atomic-file.ts';
import { dataPath } from '../../base/data-folder.ts';
import { randomToken } from '../../base/random-token.ts';
import { ifMissing } from '../../base/swallowed.ts';

const TOKEN = /^[\w-]{43}$/;
const OTHERS = 0o077;

/**
 * A token that lets programs of this account in, and nobody else: kept in the data folder from its first start on, mode 0600.
 * One that is damaged, or that other accounts could read, is replaced; logins that began under it are over then.
 *
 * @throws the file system's error when it can neither be read nor made
 */
export async function loadOrCreateToken(dataDir: string, entry: 'localToken' | 'signerToken'): Promise<string> {
  const path = dataPath(dataDir, entry);
  const kept = (await isOwn(path)) ? (await readFile(path, 'utf8')).trim() : '';
  if (TOKEN.test(kept)) return kept;
  const token = randomToken();
  await writeAtomically(path, `${token}\n`, 0o600);
  return token;
}

/** On Windows the folder of the account is guarded by the system. */
async function isOwn(path: string): Promise<boolean> {
  const found = await stat(path).catch(ifMissing);
  return found !== undefined && (process.platform === 'win32' || (found.mode & OTHERS) === 0);
}
