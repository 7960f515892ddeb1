import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { OpenHotkey } from '../../../bittensor/wallet/held-hotkey.ts';
import { passwordFrom, passwordVariable } from '../../../bittensor/wallet/password-variable.ts';
import type { Wallets } from '../../../bittensor/wallet/wallets.ts';

/**
 * A hotkey for what goes on by itself, when nobody is there to type a password.
 * @param field the setting that names it
 * @throws UNAUTHORIZED for one with a password, where that is not in the environment
 */
export async function unattendedHotkey(
  wallets: Wallets,
  key: { wallet: string; hotkey: string },
  field: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OpenHotkey> {
  const { sealing } = await wallets.find(key);
  const { file } = wallets.filesOf(key);
  const password = sealing === 'plain' ? null : (passwordFrom(environment, file) ?? undefined);
  if (password !== undefined) return wallets.openHotkey(key, password);
  const hint = say('trade.hotkeySealed.hint', { variable: passwordVariable(file) });
  throw new QuarryError({ code: 'UNAUTHORIZED', message: say('trade.hotkeySealed', key), hint, field });
}
