import type { AccountView } from '../../../src-preload/contract/chain.ts';

/** What accounts have staked on each hotkey, at today's price: rao of TAO. */
export function stakedOn(accounts: readonly Pick<AccountView, 'stakes'>[]): ReadonlyMap<string, bigint> {
  const staked = new Map<string, bigint>();
  for (const { hotkey, worth } of accounts.flatMap(({ stakes }) => stakes)) {
    staked.set(hotkey, (staked.get(hotkey) ?? 0n) + BigInt(worth ?? 0));
  }
  return staked;
}
