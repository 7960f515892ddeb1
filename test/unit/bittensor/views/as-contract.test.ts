import { expect, it } from 'vitest';
import { accountView, subnetView } from '../../../../src-main/bittensor/views/as-contract.ts';
import { accountSchema, subnetSchema } from '../../../../src-preload/contract/chain.ts';
import { RAO_PER_TAO } from '../../../../src-preload/contract/rao.ts';

// As on a local chain, whose genesis puts no alpha into the pool: one subnet of this kind must not take the list of all away.
const PRICE = 2n ** 100n;

it('a price of any size is told, and what it makes of a stake', () => {
  const places = { netuid: 1, name: '', neurons: 1, places: 256, registrationOpen: true, own: 0 };
  const subnet = subnetView({ ...places, price: PRICE, registrationCost: RAO_PER_TAO });
  expect(subnetSchema.parse(subnet).price).toBe(String(PRICE));
  const amount = 2n ** 64n - 1n;
  const worth = amount * PRICE;
  const account = accountView({
    ...{ address: '5…', free: 0n, reserved: 0n, frozen: 0n, spendable: 0n, staked: worth, total: worth },
    stakes: [{ hotkey: '5…', netuid: 1, amount, worth }],
  });
  expect(accountSchema.parse(account)).toEqual(account);
});
