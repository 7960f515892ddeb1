import { describe, expect, it } from 'vitest';
import { SS58_LOOKS } from '../../../src-preload/contract/address-looks.ts';
import type { SentCall } from '../../../src-preload/contract/chain.ts';
import { movedRao } from '../../../src-preload/contract/moved-rao.ts';
import { amountOf } from '../../../src-renderer/components/chain/call-amount.ts';
import { callsCsv } from '../../../src-renderer/pages/wallet/balance/calls-csv.ts';
import { stakedOn } from '../../../src-renderer/pages/wallet/staked-on.ts';
import { findKeys, keysOf } from '../../../src-renderer/pages/wallet/wallet-list.ts';
import { MAIN_ADDRESS, PAYEE, sampleAccount, sampleCalls } from '../../support/screens/sample-accounts.ts';
import { scriptedWallets } from '../../support/screens/script/wallet.ts';

describe('the wallet page', () => {
  it('knows all keys of a wallet, the coldkey first', () => {
    const [main] = scriptedWallets().wallets;
    expect(main && keysOf(main).map(({ wallet, hotkey }) => [wallet, hotkey])).toEqual([
      ['main', undefined],
      ['main', 'default'],
      ['main', 'validator'],
    ]);
  });

  it('finds keys by name, wallet and address', () => {
    const keys = scriptedWallets().wallets.flatMap(keysOf);
    const found = (text: string) => findKeys(keys, text).map(({ wallet, hotkey }) => [wallet, hotkey]);
    expect(found(' VALID')).toEqual([['main', 'validator']]);
    expect(found('savings')).toEqual([['savings', undefined]]);
    expect(found('5DAAnrj7')).toEqual([['main', 'validator']]);
    expect(found('')).toHaveLength(keys.length);
    expect(found('nobody')).toEqual([]);
  });

  it('knows what own coldkeys have staked on a hotkey: there the earnings of a miner are', () => {
    const accounts = [sampleAccount(MAIN_ADDRESS), sampleAccount(PAYEE)];
    const staked = stakedOn(accounts);
    expect(staked.get('5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty')).toBe(1_256_300_000n);
    expect(staked.get(PAYEE)).toBeUndefined();
  });

  it('writes what was sent as a table, amounts with all their digits', () => {
    const [head, ...rows] = callsCsv(sampleCalls).trimEnd().split('\r\n');
    expect(head?.split(',')).toHaveLength(11);
    expect(rows).toHaveLength(sampleCalls.length);
    expect(rows[1]).toMatch(/^2026-11-\S+Z,test,transfer,done,5Grw\w+,5FLS\w+,,-1\.2,0\.000124,0x8+,5120008$/);
  });

  it('has a sign on what was moved, and nothing where it did not come about', () => {
    const moved = (some: Partial<SentCall>) => movedRao({ ...sampleCalls[0]!, state: 'done', moves: '7', ...some });
    expect(moved({ action: 'transfer' })).toBe(-7n);
    expect(moved({ action: 'unstake' })).toBe(7n);
    expect(moved({ action: 'stake', state: 'failed' })).toBe(0n);
    expect(moved({ action: 'unstake', state: 'expired' })).toBe(0n);
    expect(moved({ action: 'stake', state: 'unknown' })).toBe(-7n);
  });

  it('tells what could be an address from what cannot', () => {
    expect(SS58_LOOKS.test(PAYEE)).toBe(true);
    for (const none of ['', PAYEE.slice(1), `${PAYEE}x`, PAYEE.replace('F', '0')])
      expect(SS58_LOOKS.test(none)).toBe(false);
  });

  it('shows what is moved largest, or the fee where nothing is', () => {
    const of = { wallet: 'main', hotkey: PAYEE, netuid: 3 };
    const stake = { ...of, tolerance: 50 };
    expect(
      amountOf({ action: { action: 'unstake', ...stake, amount: 'all' }, amount: '7', moves: '0', fee: '1' }),
    ).toEqual({
      rao: '7',
      unit: 'α',
      most: false,
    });
    expect(amountOf({ action: { action: 'register', ...of }, moves: '5', fee: '1' })).toMatchObject({
      rao: '5',
      most: true,
    });
    expect(amountOf({ action: { action: 'reveal', ...of }, moves: '0', fee: '1' })).toMatchObject({
      rao: '1',
      unit: 'TAO',
    });
  });
});
