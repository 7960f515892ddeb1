import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ignoring } from '../../base/swallowed.ts';
import type { Committed } from '../../bittensor/chain/subnet.ts';
import type { MinerHotkey } from '../../store/results/miner-hotkeys.ts';
import type { Standing } from '../../validation/scoring/weigh-results.ts';
import { OnSubnet } from './on-subnet.ts';

export interface SubnetLookOptions {
  /** The subnet of the settings; undefined for none: then nothing is asked. */
  netuid: () => number | undefined;
  committed: (netuid: number) => Promise<Committed | undefined>;
  /** Milliseconds for which a subnet is taken as it was told. Default 600,000. */
  freshMs?: number;
  /** Milliseconds until the chain is asked again that did not answer. Default 60,000. */
  retryMs?: number;
  /** Milliseconds for which the first answer is waited for. Default 3,000. */
  patienceMs?: number;
  log: Logger;
}

interface Asked {
  netuid: number;
  at: number;
  /** Never rejects. */
  answer: Promise<void>;
}

/**
 * What the chain says of the subnet, for whoever looks at weights: it is asked now and then, in the background, and not waited for where it does not
 * answer at once. Weights that are set ask for themselves. A resource.
 */
export class SubnetLook {
  readonly #options: SubnetLookOptions;
  readonly #closing = new AbortController();
  #asked: Asked | undefined;
  #told: { netuid: number; committed: Committed } | undefined;

  constructor(options: SubnetLookOptions) {
    this.#options = options;
  }

  /** What is known of each miner; undefined where nothing is. @param hotkeys that stand for miners */
  async lately(hotkeys: readonly MinerHotkey[]): Promise<((miner: string) => Standing | undefined) | undefined> {
    const netuid = this.#options.netuid();
    if (netuid === undefined || this.#closing.signal.aborted) return undefined;
    const { answer } = this.#ask(netuid);
    if (this.#told?.netuid !== netuid) await this.#briefly(answer);
    if (this.#told?.netuid !== netuid) return undefined;
    const subnet = new OnSubnet(this.#told.committed, hotkeys);
    return (miner) => subnet.standingOf(miner);
  }

  /** The chain is asked no more, and nobody waits for it: what it is being asked ends with the chain’s own connection. Idempotent. */
  close(): void {
    this.#closing.abort();
  }

  #ask(netuid: number): Asked {
    const { freshMs = 600_000, retryMs = 60_000 } = this.#options;
    const now = performance.now();
    if (this.#asked?.netuid === netuid && now - this.#asked.at < freshMs) return this.#asked;
    const asked: Asked = { netuid, at: now, answer: Promise.resolve() };
    asked.answer = this.#read(netuid, () => {
      asked.at = performance.now() - freshMs + Math.min(freshMs, retryMs);
    });
    this.#asked = asked;
    return asked;
  }

  async #read(netuid: number, onFailure: () => void): Promise<void> {
    const { committed, log } = this.#options;
    try {
      const told = await committed(netuid);
      this.#told = told && { netuid, committed: told };
    } catch (err) {
      onFailure(); // what was told before is taken on
      log.debug({ err, netuid }, 'what the subnet says is not known for now');
    }
  }

  async #briefly(answer: Promise<void>): Promise<void> {
    const answered = new AbortController();
    const { patienceMs = 3_000 } = this.#options;
    const signal = AbortSignal.any([answered.signal, this.#closing.signal]);
    const late = pause(patienceMs, undefined, { signal }).catch(ignoring('the answer came, or the node closes'));
    await Promise.race([answer, late]);
    answered.abort();
  }
}
