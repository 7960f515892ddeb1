import type { Logger } from 'pino';
import type { AxonState } from '../../../src-preload/contract/axon.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { closeAll } from '../../base/close-all.ts';
import { errorView } from '../../base/error-view.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import { PROTOCOL_VERSION } from '../synapse/synapse.ts';
import type { Axon, AxonReport } from './axon.ts';
import type { AxonSettings } from './axon-settings.ts';
import { KnownNeurons, type Neurons } from './neurons.ts';
import type { NonceMarkStore } from './nonces.ts';
import { type AddressSources, type ExternalAddress, findExternalAddress, judgeReach } from './reach.ts';
import type { ServedSynapse } from './served-synapse.ts';

const RAO = 1_000_000_000n;

/** Lets others in through the router. Open as long as the axon is. */
export interface RouterDoor {
  open: NonNullable<AddressSources['router']>;
  close: () => Promise<void>;
}

export interface AxonServiceOptions {
  /** As they are now; read at each start. */
  settings: () => AxonSettings;
  /** The address of a hotkey. @throws BAD_REQUEST where there is none */
  addressOf: (wallet: string, hotkey: string) => Promise<string>;
  synapses: readonly ServedSynapse[];
  /** Asks the chain who is registered on a subnet. */
  neurons: (netuid: number) => Promise<Neurons | undefined>;
  /** Asks the router. */
  router: () => RouterDoor;
  /** At which address other nodes see this computer. */
  peers: () => string | undefined;
  nonces: NonceMarkStore;
  /** Something has changed that people look at. */
  onChange: () => void;
  log: Logger;
}

interface Running {
  axon: Axon;
  hotkey: NonNullable<AxonState['hotkey']>;
  neurons: KnownNeurons | undefined;
  router: RouterDoor | undefined;
  external: ExternalAddress | undefined;
  /** Nobody has told yet whether it has such an address. */
  isLookedFor: boolean;
}

/** The node's axon: starts and stops it, knows how others reach it. A resource. */
export class AxonService {
  readonly #options: AxonServiceOptions;
  readonly #turns = new Turns();
  #running: Running | undefined;
  #error: QuarryError | undefined;
  #closed = false;

  constructor(options: AxonServiceOptions) {
    this.#options = options;
  }

  /**
   * Opens the axon, unless it is open. Where others reach it is looked for afterwards.
   * @throws CONFIG_INVALID with the field at fault, BAD_REQUEST for a hotkey that is not there, PORT_IN_USE
   */
  start(): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#running || this.#closed) return;
      this.#error = undefined;
      try {
        this.#running = await this.#open();
      } catch (error) {
        this.#error = QuarryError.from(error);
        throw error;
      } finally {
        this.#options.onChange();
      }
      void this.check().catch(ignoring('where others reach it is looked for again on demand'));
    });
  }

  /** Ends what is being answered, and closes the way through the router. Idempotent. */
  stop(): Promise<void> {
    return this.#turns.take(async () => {
      const running = this.#running;
      this.#running = undefined;
      this.#error = undefined;
      if (!running) return;
      this.#options.onChange();
      running.neurons?.close();
      await closeAll(
        () => running.axon.close(),
        () => running.router?.close(),
      );
    });
  }

  /** Looks again where others reach it, and what the chain says. */
  async check(): Promise<void> {
    await this.#turns.ended();
    const running = this.#running;
    if (!running) return;
    const [external] = await Promise.all([
      this.#findAddress(running),
      running.neurons?.look().catch(ignoring('it was logged; what was known stays')),
    ]);
    running.external = external;
    running.isLookedFor = false;
    this.#options.onChange();
  }

  state(): AxonState {
    const { netuid = null } = this.#options.settings();
    const { axon, hotkey = null, external = null, neurons } = this.#running ?? {};
    const announced = hotkey && neurons?.placeOf(hotkey.address);
    const report = axon?.report();
    return {
      running: axon !== undefined,
      ...(this.#error && { error: errorView(this.#error) }),
      hotkey,
      netuid,
      port: axon ? portOf(axon) : null,
      external,
      announced: announced ?? null,
      neurons: neurons?.age ?? null,
      version: PROTOCOL_VERSION,
      answered: report?.answered ?? 0,
      refused: [...(report?.refused ?? [])].map(([status, count]) => ({ status, count })),
      reach: this.#reach(report),
    };
  }

  /** {@link stop}, for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.stop();
  }

  async #open(): Promise<Running> {
    const { addressOf, synapses, nonces, router, log } = this.#options;
    const settings = this.#options.settings();
    const { wallet, hotkey, host, port } = settings;
    if (wallet === undefined) throw unset('axon.wallet', say('bittensor.axon.noWallet'));
    if (settings.netuid === undefined && settings.callers !== 'anyone') {
      throw unset('axon.netuid', say('bittensor.axon.noNetuid'));
    }
    const address = await addressOf(wallet, hotkey);
    const neurons = this.#neurons(settings);
    const { openAxon } = await import('./axon.ts'); // most nodes have none
    const axon = await openAxon({
      ...{ hotkey: address, host, port, synapses, nonces, log },
      portSetting: { name: 'axon.port', flag: 'the variable QUARRY_AXON_PORT' },
      rules: {
        ...(neurons && { metagraph: (one: string) => neurons.find(one) }),
        leastStake: BigInt(settings.leastStake) * RAO,
        needsNeuron: settings.callers !== 'anyone',
        needsPermit: settings.callers === 'validators',
      },
    });
    neurons?.open();
    // Who has set either has opened the router by hand.
    const asksRouter = settings.openRouter && (settings.externalIp ?? settings.externalPort) === undefined;
    const names = { wallet, hotkey, address };
    return {
      axon,
      hotkey: names,
      neurons,
      router: asksRouter ? router() : undefined,
      external: undefined,
      isLookedFor: true,
    };
  }

  #neurons({ netuid }: AxonSettings): KnownNeurons | undefined {
    const { neurons, onChange, log } = this.#options;
    return netuid === undefined
      ? undefined
      : new KnownNeurons({ read: () => neurons(netuid), onLooked: onChange, log });
  }

  #findAddress({ axon, router }: Running): Promise<ExternalAddress | undefined> {
    const { externalIp: ip, externalPort: port } = this.#options.settings();
    const peers = async () => this.#options.peers();
    const sources: AddressSources = { set: { ip, port }, ...(router && { router: router.open }), peers };
    return findExternalAddress(sources, portOf(axon));
  }

  #reach(report: AxonReport | undefined): AxonState['reach'] {
    const { axon, hotkey, external, neurons, isLookedFor } = this.#running ?? {};
    if (isLookedFor) return { status: 'skip', ...told({ found: say('bittensor.axon.lookedFor') }) };
    const { status, found, advice } = judgeReach({
      port: axon && portOf(axon),
      external,
      announced: hotkey && neurons?.placeOf(hotkey.address),
      isReached: report?.isReached ?? false,
    });
    return { status, ...told({ found, advice }) };
  }
}

function portOf(axon: Axon): number {
  return Number(new URL(axon.url).port || 80);
}

function unset(field: string, message: ReturnType<typeof say>): QuarryError {
  return new QuarryError({ code: 'CONFIG_INVALID', message, hint: say('bittensor.axon.setFirst', { field }), field });
}
