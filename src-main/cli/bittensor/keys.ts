import type { Command } from 'commander';
import { say } from '../../../src-preload/contract/saying.ts';
import { passwordFrom, passwordVariable } from '../../bittensor/wallet/password-variable.ts';
import type { KeyName, Wallets } from '../../bittensor/wallet/wallets.ts';
import type { Config } from '../../settings/config.ts';
import { integer } from '../terminal/arguments.ts';
import { askPassword } from '../terminal/password.ts';

const PASSWORD_HELP = `
The password is asked for without an echo. For scripts: --password-fd 3 3< file, the variable that the
official software knows (BT_PW_ and the path of the keyfile), or one line on standard input.`;

export interface PasswordFlags {
  passwordFd?: number;
}

/** Adds what every command takes that opens a key. */
export function withPassword(command: Command): Command {
  return command
    .option('--password-fd <n>', 'read the password from this file descriptor', integer(0, 1_000))
    .addHelpText('after', PASSWORD_HELP);
}

/** The wallets of the folder that is set. */
export async function openWallets({
  bittensor,
}: {
  bittensor: Pick<Config['bittensor'], 'walletFolder'>;
}): Promise<Wallets> {
  const { Wallets } = await import('../../bittensor/wallet/wallets.ts'); // only here: what signs takes a while to load
  return new Wallets({ folder: bittensor.walletFolder });
}

/** The password of a key that is there; null where its file has none. */
export async function passwordFor(wallets: Wallets, name: KeyName, fd: number | undefined): Promise<string | null> {
  const { sealing } = await wallets.find(name);
  return sealing === 'plain' || sealing === null ? null : askPassword(passwordOf(wallets, name, fd), { twice: false });
}

/** Where the password of a key may come from, and how to say so. */
export function passwordOf(wallets: Wallets, name: KeyName, fd?: number) {
  const { wallet, hotkey } = name;
  const { file } = wallets.filesOf(name);
  return {
    fd,
    environment: passwordFrom(process.env, file),
    of: hotkey === undefined ? `the wallet ${wallet}` : `the hotkey ${hotkey}`,
    how: say('bittensor.wallet.passwordHow', { variable: passwordVariable(file) }),
  };
}
