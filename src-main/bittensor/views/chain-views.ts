import type { AccountView, MetagraphView, SubnetView } from '../../../src-preload/contract/chain.ts';
import type { BalanceSampleStore } from '../../store/bittensor/balance-samples.ts';
import type { Chain } from '../chain/chain.ts';
import type { Wallets } from '../wallet/wallets.ts';
import { readAccounts } from './accounts.ts';
import { accountView, metagraphView, subnetView } from './as-contract.ts';
import { ownHotkeys } from './own-keys.ts';
import { PerBlock } from './per-block.ts';
import { readSubnetDetails } from './subnet-details.ts';
import { readSubnets } from './subnet-list.ts';

export interface ChainViewsOptions {
  chain: Chain;
  wallets: Pick<Wallets, 'list'>;
  samples: Pick<BalanceSampleStore, 'keep'>;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
}

/** What the chain says, as people look at it. What was read of a block is kept until there is a newer one. */
export class ChainViews {
  readonly #options: ChainViewsOptions;
  readonly #owned = new PerBlock(() => ownHotkeys(this.#options.wallets));
  readonly #subnets = new PerBlock(async (reader) => readSubnets(reader, [...(await this.#owned.at(reader)).keys()]));
  readonly #metagraphs = new PerBlock(async (reader, netuid) => {
    const subnet = (await this.#subnets.at(reader)).find((one) => one.netuid === Number(netuid));
    return subnet ? metagraphView(await readSubnetDetails(reader, subnet), await this.#owned.at(reader)) : null;
  });

  constructor(options: ChainViewsOptions) {
    this.#options = options;
  }

  async subnets(): Promise<SubnetView[]> {
    return (await this.#subnets.at(await this.#options.chain.read())).map(subnetView);
  }

  /** Null where there is no such subnet. */
  async subnet(netuid: number): Promise<MetagraphView | null> {
    return this.#metagraphs.at(await this.#options.chain.read(), String(netuid));
  }

  /** What accounts have; what they have in all is kept, once an hour. @throws BAD_REQUEST for what is no address */
  async accounts(addresses: readonly string[]): Promise<AccountView[]> {
    const { chain, samples, now = Date.now } = this.#options;
    const reader = await chain.read();
    const accounts = await readAccounts(reader, addresses);
    const totals = new Map(accounts.map(({ address, total }) => [address, total]));
    await samples.keep(chain.state.network, totals, now());
    return accounts.map(accountView);
  }
}
