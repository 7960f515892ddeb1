import { describe, expect, it } from 'vitest';
import { movedIn } from '../../../../src-main/bittensor/calls/actions/actions.ts';
import type { SentAction } from '../../../../src-main/bittensor/calls/actions/prepared-call.ts';
import type { ChainEvent } from '../../../../src-main/bittensor/chain/runtime.ts';

const SIGNER = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const OTHER = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const HOTKEY = '5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y';

const event = (pallet: string, name: string, ...data: unknown[]): ChainEvent => ({ extrinsic: 1, pallet, name, data });
const stake = (name: string, ...data: unknown[]) => event('subtensorModule', name, ...data);
const feePaid = (who: string, fee: number) => event('transactionPayment', 'TransactionFeePaid', who, fee, 0);
const sent = (action: SentAction['action'], some: Partial<SentAction> = {}): SentAction => ({
  ...{ action, signer: SIGNER, target: HOTKEY, netuid: 3 },
  ...some,
});

describe('what a call has moved', () => {
  const added = stake('StakeAdded', SIGNER, HOTKEY, 900, 1_700, 3, 4);
  const removed = stake('StakeRemoved', SIGNER, HOTKEY, 500, 1_000, 3, 2);

  it('is what went into the stake, by the hotkey and on the subnet that were meant', () => {
    const foreign = [
      stake('StakeAdded', OTHER, HOTKEY, 1, 1, 3, 0),
      stake('StakeAdded', SIGNER, OTHER, 1, 1, 3, 0),
      stake('StakeAdded', SIGNER, HOTKEY, 1, 1, 4, 0),
      stake('StakeRemoved', SIGNER, HOTKEY, 1, 1, 3, 0),
      event('balances', 'StakeAdded', SIGNER, HOTKEY, 1, 1, 3, 0),
    ];
    expect(movedIn([...foreign, added, feePaid(SIGNER, 7)], sent('stake'))).toEqual({ moves: 900n, fee: 7n });
    expect(movedIn(foreign, sent('stake'))).toEqual({ moves: undefined, fee: undefined });
  });

  it('is the same with the five fields that runtimes before 257 had, and unknown with fields of other meanings', () => {
    const five = stake('StakeAdded', SIGNER, HOTKEY, '0x0000000000000384', 1_700, 3);
    expect(movedIn([five], sent('stake')).moves).toBe(900n);
    expect(movedIn([stake('StakeAdded', HOTKEY, 900)], sent('stake')).moves).toBeUndefined();
  });

  it('is what came out of the stake', () => {
    expect(movedIn([removed, feePaid(SIGNER, 7)], sent('unstake'))).toEqual({ moves: 500n, fee: 7n });
  });

  it('is not the alpha that was sold for the fee, which is told in the TAO that it brought', () => {
    const sold = stake('StakeRemoved', SIGNER, HOTKEY, 6, 12, 3, 0);
    const paid = stake('TransactionFeePaidWithAlpha', SIGNER, 3, 12, 6);
    const all = [sold, removed, paid, feePaid(SIGNER, 7)];
    expect(movedIn(all, sent('unstake'))).toEqual({ moves: 500n, fee: 6n });
    const ofAnother = stake('TransactionFeePaidWithAlpha', OTHER, 3, 1_000, 500);
    expect(movedIn([removed, ofAnother], sent('unstake'))).toEqual({ moves: 500n, fee: undefined });
  });

  it('is what arrived at the payee', () => {
    const transfers = [
      event('balances', 'Transfer', SIGNER, OTHER, 40),
      event('balances', 'Transfer', SIGNER, HOTKEY, 1),
      event('balances', 'Transfer', OTHER, SIGNER, 1),
    ];
    expect(movedIn(transfers, sent('transfer', { target: OTHER, netuid: null })).moves).toBe(40n);
    expect(movedIn([], sent('transfer', { target: OTHER, netuid: null })).moves).toBeUndefined();
  });

  it.each(['Withdraw', 'Burned'])('is what a registration took by %s, but for the fee', (name) => {
    const taken = [7, 500].map((amount) => event('balances', name, SIGNER, amount));
    expect(movedIn([...taken, feePaid(SIGNER, 7)], sent('register'))).toEqual({ moves: 500n, fee: 7n });
  });

  it('is nothing that anybody could tell of weights', () => {
    expect(movedIn([added, removed], sent('weights'))).toEqual({ moves: undefined, fee: undefined });
  });
});
