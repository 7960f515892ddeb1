import type { Logger } from 'pino';
import type { Place } from '../../../src-preload/contract/place.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { Neuron } from './gate.ts';
import { Refusal } from './refusal.ts';

/** A subnet's neurons, as the chain tells them. */
export interface Neurons {
  neurons: readonly {
    hotkey: string;
    validatorPermit: boolean;
    /** Rao. */
    totalStake: bigint;
    /** Where it says that its axon is. */
    axon?: Place | undefined;
  }[];
}

export interface KnownNeuronsOptions {
  /** Asks the chain; undefined where there is no such subnet. */
  read: () => Promise<Neurons | undefined>;
  /** Milliseconds until it is asked again: after an answer, and after none. Default 600,000 and 30,000. */
  everyMs?: number;
  retryMs?: number;
  /** It was asked, and told or did not. */
  onLooked?: () => void;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/** Who is registered on an axon's subnet, looked up now and then, so that no request waits for the chain. A resource. */
export class KnownNeurons {
  readonly #options: KnownNeuronsOptions;
  #known: ReadonlyMap<string, Neurons['neurons'][number]> | undefined;
  #readAt: number | null = null;
  #isStale = false;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #closed = false;

  constructor(options: KnownNeuronsOptions) {
    this.#options = options;
  }

  /** Begins to ask; does not wait for it. */
  open(): void {
    void this.look().catch(ignoring('it was logged, and is tried again'));
  }

  /** Asks the chain now. @throws what asking it throws: what was known stays */
  look(): Promise<void> {
    this.#reading ??= this.#look().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** @throws Refusal 503 while nothing is known */
  find(hotkey: string): Neuron | undefined {
    if (!this.#known) throw new Refusal(503, 'Service unavailable: it is not known yet who is registered.');
    const neuron = this.#known.get(hotkey);
    return neuron && { stake: neuron.totalStake, permit: neuron.validatorPermit };
  }

  /** From when what is known is, Unix milliseconds, and whether the chain did not tell when it was asked last. */
  get age(): { readAt: number | null; stale: boolean } {
    return { readAt: this.#readAt, stale: this.#isStale };
  }

  /** Where a hotkey's axon is, by the chain; undefined where that is not known or not told. */
  placeOf(hotkey: string): Place | undefined {
    const axon = this.#known?.get(hotkey)?.axon;
    return axon && { ip: axon.ip, port: axon.port };
  }

  /** Idempotent. What is being asked may still come, and is forgotten. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { read, everyMs = 600_000, retryMs = 30_000, onLooked, now = Date.now, log } = this.#options;
    let again = retryMs;
    try {
      const { neurons = [] } = (await read()) ?? {};
      this.#known = new Map(neurons.map((neuron) => [neuron.hotkey, neuron]));
      this.#readAt = now();
      this.#isStale = false;
      again = everyMs;
    } catch (err) {
      this.#isStale = true;
      if (!this.#closed) log.warn({ err }, 'the chain does not tell who is registered');
      throw err;
    } finally {
      clearTimeout(this.#timer);
      if (!this.#closed) this.#timer = setTimeout(() => this.open(), again);
      onLooked?.();
    }
  }
}
