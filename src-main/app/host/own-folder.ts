import { chmod, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import type { Logger } from 'pino';
import { dataNames } from '../../base/data-folder.ts';
import { ifMissing } from '../../base/swallowed.ts';

const OTHERS = 0o077;
/** Anybody may make files there, as in `/tmp`: it belongs to all. */
const STICKY = 0o1000;

/**
 * Keeps other accounts out of the data folder at every start: it may have been made by somebody else, or copied. What cannot be
 * closed is a warning in the log; on Windows the folder of the account is guarded by the system.
 */
export async function keepToOwner(dataDir: string, log: Logger): Promise<void> {
  if (process.platform === 'win32') return;
  await close(dataDir, log);
  for (const file of dataNames(({ isPrivate }) => isPrivate)) await close(join(dataDir, file), log);
}

async function close(path: string, log: Logger): Promise<void> {
  try {
    const found = await stat(path).catch(ifMissing);
    if (!found || (found.mode & OTHERS) === 0) return;
    // What is linked to a device or a pipe, as a log that nobody wants to /dev/null, holds nothing, and is not this node's alone.
    if (!found.isFile() && !found.isDirectory()) return;
    if (found.mode & STICKY || isOfMore(path)) throw new Error('it is more than a data folder');
    await chmod(path, found.isDirectory() ? 0o700 : 0o600);
    log.info({ path }, 'other accounts could reach this: they no longer can');
  } catch (err) {
    log.warn({ err, path }, 'other accounts of this computer may reach this, and it cannot be closed to them');
  }
}

/** The root of a drive or a home: closing it would lock out more than strangers. */
function isOfMore(path: string): boolean {
  const whole = resolve(path);
  return whole === parse(whole).root || whole === resolve(homedir());
}
