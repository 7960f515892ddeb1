import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { RAO_PER_TAO } from '../../../src-preload/contract/rao.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { severalAtOnce } from '../../base/several-at-once.ts';
import { isAddress } from '../address.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import { type Balance, readBalance, readStakes, type Stake, spendable } from '../chain/money.ts';
import { readPrices } from './prices.ts';

/** Accounts that are read at once. */
const AT_ONCE = 8;

/** What an account has, in rao. */
export interface Account extends Balance {
  address: string;
  /** What can be sent. */
  spendable: bigint;
  /** `worth`: what a stake would bring now, by the price alone; undefined where the subnet has no price. */
  stakes: (Pick<Stake, 'hotkey' | 'netuid' | 'amount'> & { worth: bigint | undefined })[];
  /** The worth of all stakes. */
  staked: bigint;
  /** Free, reserved and staked. */
  total: bigint;
}

/**
 * What accounts have, and what their stakes are worth by the price alone.
 * @throws BAD_REQUEST with the field `addresses` for what is no address
 */
export async function readAccounts(reader: ChainReader, addresses: readonly string[]): Promise<Account[]> {
  if (!addresses.every(isAddress)) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.noAddress'), field: 'addresses' });
  }
  const found = await severalAtOnce(addresses, AT_ONCE, async (address) => {
    const [balance, stakes] = await Promise.all([readBalance(reader, address), readStakes(reader, address)]);
    return { address, balance, stakes };
  });
  const netuids = new Set(found.flatMap(({ stakes }) => stakes.map(({ netuid }) => netuid)));
  const prices = await readPrices(reader, [...netuids]);
  return found.map((account) => valued(account, prices));
}

function valued(
  { address, balance, stakes }: { address: string; balance: Balance; stakes: readonly Stake[] },
  prices: ReadonlyMap<number, bigint>,
): Account {
  const worthOf = ({ netuid, amount }: Stake) => {
    const price = prices.get(netuid);
    return price ? (amount * price) / RAO_PER_TAO : undefined; // of a subnet that is gone the runtime tells 0
  };
  const worthy = stakes.map((stake) => ({ ...stake, worth: worthOf(stake) }));
  const staked = worthy.reduce((sum, { worth = 0n }) => sum + worth, 0n);
  const total = balance.free + balance.reserved + staked;
  return { address, ...balance, spendable: spendable(balance), stakes: worthy, staked, total };
}
