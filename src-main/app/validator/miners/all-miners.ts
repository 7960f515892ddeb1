import type { Logger } from 'pino';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { ignoring } from '../../../base/swallowed.ts';
import type { Committed } from '../../../bittensor/chain/subnet.ts';
import type { Wallets } from '../../../bittensor/wallet/wallets.ts';
import type { ResultsDb } from '../../../store/results/results-db.ts';
import type { Miner } from '../../../validation/run/miner.ts';
import type { ValidatorSettings } from '../../../validation/validator-settings.ts';
import type { AxonMiners } from './axon-miners.ts';
import { EndpointMiners } from './endpoint-miners.ts';
import { type MeshAsking, meshMiners } from './mesh-miners.ts';

export interface AllMinersOptions {
  settings: () => ValidatorSettings;
  results: Pick<ResultsDb, 'endpoints'>;
  /** Undefined on a node that is on no mesh. */
  mesh: { client: MeshAsking } | undefined;
  wallets: () => Promise<Pick<Wallets, 'openHotkey'>>;
  committed: (netuid: number) => Promise<Pick<Committed, 'neurons' | 'commitments'> | undefined>;
  /** Whether axons in this computer’s own network are asked: on a chain of one’s own. */
  allowInside: boolean;
  log: Logger;
}

/** Whom the settings let be asked, by all ways. A resource. */
export class AllMiners {
  readonly #options: AllMinersOptions;
  readonly #endpoints: EndpointMiners;
  #axons: { of: string; miners: Promise<AxonMiners> } | undefined;
  #fault: QuarryError | undefined;

  constructor(options: AllMinersOptions) {
    this.#options = options;
    const { results, log } = options;
    this.#endpoints = new EndpointMiners({ list: () => results.endpoints.list(), log });
  }

  /** Why some could not be told, the last time. */
  get fault(): QuarryError | undefined {
    return this.#fault;
  }

  /** @throws where no way leads to any, and one of them failed */
  async list(): Promise<Miner[]> {
    const { settings, mesh, log } = this.#options;
    const now = settings();
    const ways = [this.#endpoints.miners(), now.mesh && mesh ? meshMiners(mesh.client) : [], this.#onSubnet(now)];
    const found = await Promise.allSettled(ways);
    const failed = found.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    this.#fault = failed ? QuarryError.from(failed.reason) : this.#endpoints.fault;
    const miners = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (failed && miners.length === 0) throw failed.reason;
    if (failed) log.warn({ err: failed.reason }, 'some miners cannot be told');
    return miners;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await Promise.all([this.#endpoints.close(), this.#closeAxons()]);
  }

  async #onSubnet({ netuid, wallet, hotkey }: ValidatorSettings): Promise<Miner[]> {
    const of = JSON.stringify([netuid, wallet, hotkey]);
    if (this.#axons?.of !== of) await this.#closeAxons();
    if (netuid === undefined) return [];
    if (wallet === undefined) throw noWallet();
    this.#axons ??= { of, miners: this.#openAxons(netuid, { wallet, hotkey }) };
    try {
      return await (await this.#axons.miners).miners();
    } catch (error) {
      await this.#closeAxons();
      throw error;
    }
  }

  async #openAxons(netuid: number, key: { wallet: string; hotkey: string }): Promise<AxonMiners> {
    const { wallets, committed, allowInside } = this.#options;
    const signer = await (await wallets()).openHotkey(key, null);
    const { AxonMiners } = await import('./axon-miners.ts'); // what speaks to axons is large, and few need it
    return new AxonMiners({ signer, committed: () => committed(netuid), allowInside });
  }

  async #closeAxons(): Promise<void> {
    const opened = await this.#axons?.miners.catch(ignoring('it is not there to be closed'));
    this.#axons = undefined;
    await opened?.close();
  }
}

function noWallet(): QuarryError {
  const [message, hint] = [say('validation.axon.noWallet'), say('validation.axon.setWallet')];
  return new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'validator.wallet' });
}
