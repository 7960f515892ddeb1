import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ignoring } from '../../base/swallowed.ts';
import type { Committed } from '../../bittensor/chain/subnet.ts';
import type { MinerHotkey } from '../../store/results/miner-hotkeys.ts';
import type { SubnetPlace } from '../../validation/scoring/weigh-results.ts';
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
  /** Why there was none. */
  failure?: unknown;
}

/**
 * What the chain says of the subnet, for whoever looks at weights or wants to know whom to ask: it is asked now and then, in the background, and what it
 * told last is good while it does not answer. Weights that are set ask for themselves. A resource.
 */
export class SubnetLook {
  readonly #options: SubnetLookOptions;
  readonly #closing = new AbortController();
  #asked: Asked | undefined;
  #told: { netuid: number; committed: Committed } | undefined;

  constructor(options: SubnetLookOptions) {
    this.#options = options;
  }

  /** What is known of each miner; undefined where nothing is, and the chain does not answer soon. @param hotkeys that stand for miners */
  async lately(hotkeys: readonly MinerHotkey[]): Promise<((miner: string) => SubnetPlace | undefined) | undefined> {
    const netuid = this.#options.netuid();
    if (netuid === undefined || this.#closing.signal.aborted) return undefined;
    const { answer } = this.#ask(netuid);
    if (!this.#toldOf(netuid)) await this.#briefly(answer);
    const told = this.#toldOf(netuid);
    if (!told) return undefined;
    const subnet = new OnSubnet(told, hotkeys);
    return (miner) => subnet.standingOf(miner);
  }

  /** The subnet as it was told last, which is waited for only where that was never; undefined where there is none. @throws what the chain throws, where it never told it */
  async known(netuid: number): Promise<Committed | undefined> {
    const told = this.#toldOf(netuid);
    if (this.#closing.signal.aborted) return told;
    if (!told && this.#asked?.failure !== undefined) this.#asked = undefined; // without it nobody goes on: it is not put off
    const asked = this.#ask(netuid);
    if (told) return told;
    await asked.answer;
    if (asked.failure !== undefined) throw asked.failure;
    return this.#toldOf(netuid);
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
    this.#asked = asked;
    asked.answer = this.#read(asked).catch((err: unknown) => {
      asked.failure = err; // what was told before is taken on
      asked.at = performance.now() - freshMs + Math.min(freshMs, retryMs);
      this.#options.log.debug({ err, netuid }, 'what the subnet says is not known for now');
    });
    return asked;
  }

  async #read(asked: Asked): Promise<void> {
    const { netuid } = asked;
    const committed = await this.#options.committed(netuid);
    if (this.#asked === asked) this.#told = committed && { netuid, committed }; // else another subnet was chosen meanwhile
  }

  #toldOf(netuid: number): Committed | undefined {
    return this.#told?.netuid === netuid ? this.#told.committed : undefined;
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
