import type { AccountView, SentCall } from '../../../src-preload/contract/chain.ts';
import { NOW } from './sample-data.ts';

const DAY = 86_400_000;
/** Of the wallet `main` of {@link scriptedWallets}. */
export const MAIN_ADDRESS = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const DEFAULT_HOTKEY = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const VALIDATOR = '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy';
export const PAYEE = '5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y';

/** What an account has: that of `main` much, every other one little. */
export function sampleAccount(address: string): AccountView {
  const little = { reserved: '0', frozen: '0', staked: '0', stakes: [] };
  if (address !== MAIN_ADDRESS) return { address, free: '1500000', spendable: '1499500', total: '1500000', ...little };
  return {
    address,
    free: '8652000000',
    reserved: '0',
    frozen: '500000000',
    spendable: '8151999500',
    staked: '4256300000',
    total: '12908300000',
    stakes: [
      { hotkey: VALIDATOR, netuid: 0, amount: '3000000000', worth: '3000000000' },
      { hotkey: DEFAULT_HOTKEY, netuid: 24, amount: '61207450000', worth: '1256300000' },
    ],
  };
}

/** A balance that was looked at once a day, rising but for one payment. */
export function sampleHistory(days: number): { at: number; total: string }[] {
  const now = Date.now();
  return Array.from({ length: Math.min(days, 60) }, (_, place) => {
    const ago = Math.min(days, 60) - 1 - place;
    const paid = ago < 6 ? 1_200 : 0;
    return { at: now - ago * DAY, total: String(BigInt(14_108 - ago * 66 - paid) * 1_000_000n) };
  });
}

const call = (id: number, some: Partial<SentCall>): SentCall => ({
  id,
  at: NOW - (10 - id) * DAY * 0.7,
  network: 'test',
  action: 'transfer',
  state: 'done',
  from: MAIN_ADDRESS,
  to: PAYEE,
  netuid: null,
  moves: '1200000000',
  fee: '124000',
  hash: `0x${String(id).repeat(64).slice(0, 64)}`,
  block: 5_120_000 + id,
  ...some,
});

/** Calls of every state, the newest first. */
export const sampleCalls: SentCall[] = [
  call(9, { state: 'waiting', block: null, moves: '250000000' }),
  call(8, {}),
  call(7, { action: 'stake', to: VALIDATOR, netuid: 0, moves: '2000000000' }),
  call(6, { action: 'register', to: DEFAULT_HOTKEY, netuid: 24, moves: '501200000' }),
  call(5, {
    state: 'failed',
    error: { code: 'CHAIN_REFUSED', message: 'There is not enough TAO on this coldkey.' },
    moves: '9000000000',
  }),
  call(4, { action: 'unstake', to: VALIDATOR, netuid: 0, moves: '500000000' }),
  call(3, { action: 'weights', from: DEFAULT_HOTKEY, to: DEFAULT_HOTKEY, netuid: 24, moves: '0', fee: '0' }),
  call(2, { state: 'expired', block: null }),
  call(1, {
    ...{ state: 'waiting', block: null },
    refusal: { code: 'CHAIN_REFUSED', message: 'Another call of this key is on its way.' },
  }),
];
