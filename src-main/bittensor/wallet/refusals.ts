import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { FoundWallet } from './wallet-folder.ts';
import type { KeyName } from './wallets.ts';

/** Why files of these wallets are not read as they are: of what is mended in one way, the first. */
export function refusalsOf(wallets: readonly FoundWallet[]): QuarryError[] {
  const keys = wallets.flatMap(({ coldkey, hotkeys }) => [...(coldkey ? [coldkey] : []), ...hotkeys]);
  const refusals = keys.flatMap(({ refused }) => refused ?? []);
  return [...new Map(refusals.reverse().map((refusal) => [refusal.hint ?? refusal.message, refusal])).values()];
}

/** Why the address of a key is not known, and what tells it. @param field at fault */
export function addressUnknown(name: KeyName, field?: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('bittensor.wallet.noAddressYet'),
    hint: say('bittensor.wallet.writePublic', { key: typed(name) }),
    ...(field !== undefined && { field }),
  });
}

/** Why nothing is signed where only an address is. @param field at fault */
export function watchOnly(field?: string): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: say('bittensor.wallet.watchOnly'),
    hint: say('bittensor.wallet.keyElsewhere'),
    ...(field !== undefined && { field }),
  });
}

/** A key as commands take it: the wallet, and the hotkey if it is one. */
export const typed = ({ wallet, hotkey }: KeyName): string =>
  [wallet, hotkey].flatMap((name) => (name === undefined ? [] : shellWord(name))).join(' ');
