import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { BLOCK_MS } from '../../../src-preload/contract/block-time.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { WeightSetting } from '../../../src-preload/contract/validator-run.ts';
import { ignoring } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import type { WeightSetter } from '../../bittensor/weights/weight-setter.ts';
import type { MinerWeights } from '../../bittensor/weights/weights-plan.ts';
import type { ValidatorSettings } from '../../validation/validator-settings.ts';
import { faultOf } from './fault.ts';
import type { WeightKey } from './weight-setting.ts';

export interface WeightKeeperOptions {
  settings: () => ValidatorSettings;
  /** What the results come to now, for a subnet. */
  weigh: (netuid: number, onLooked: (looked: Looked) => void) => Promise<MinerWeights>;
  open: (
    netuid: number,
    by: WeightKey,
  ) => Promise<{ setter: Pick<WeightSetter, 'due' | 'set'>; close: () => Promise<void> }>;
  /** Told of what people wait for on a screen. */
  onChange: () => void;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/** After a failure, and where there is nothing to be set for now, milliseconds. */
const LOOK_AGAIN_MS = 60_000;
/** A block more or less: what was reckoned from the last look may be late. */
const LEAST_WAIT_MS = 2 * BLOCK_MS;
const MOST_WAIT_MS = 600_000;

/** Results that were to count for weights, and those of them that do not, because they are not as they were signed. */
type Looked = Pick<WeightSetting, 'checked' | 'forged'>;
type Known = Looked & Pick<WeightSetting, 'setAt' | 'nextAt' | 'onSubnet' | 'fault'>;
const NOTHING: Known = { setAt: null, nextAt: null, onSubnet: 0, checked: 0, forged: 0, fault: null };

/** The address of a hotkey, with whose it was when it was asked for: settings may change. */
interface SeenHotkey {
  by: string | null;
  hotkey: string;
}

/** Sets weights on the chain once an epoch, for as long as it is open. A resource that can be opened again. */
export class WeightKeeper {
  readonly #options: WeightKeeperOptions;
  readonly #turns = new Turns();
  #running: { ending: AbortController; loop: Promise<void> } | undefined;
  #known = NOTHING;
  #seen: SeenHotkey | undefined;
  #isSetting = false;

  constructor(options: WeightKeeperOptions) {
    this.#options = options;
  }

  view(): WeightSetting {
    const settings = this.#options.settings();
    const { setWeights: way, netuid = null } = settings;
    const by = signedBy(settings);
    const hotkey = this.#seen?.by === by ? this.#seen.hotkey : null;
    return { way, netuid, by, hotkey, isSetting: this.#isSetting, ...this.#known };
  }

  /** Begins to look whether it is time. Idempotent. */
  open(): void {
    if (this.#running) return;
    const ending = new AbortController();
    this.#running = { ending, loop: this.#go(ending.signal) };
  }

  /** Idempotent. Weights that are handed in go their way. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.ending.abort();
    await running?.loop;
    await this.#turns.ended();
  }

  /** Sets them now. @throws what keeps them from being set: it is kept for the view, too */
  async setNow(signal: AbortSignal): Promise<WeightSetting> {
    await this.#turns.take(() =>
      this.#noting(async () => this.#withSetter((setter, netuid) => this.#set(setter, netuid, signal))),
    );
    return this.view();
  }

  async #go(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.#turns
        .take(() => this.#noting(() => this.#look(signal)))
        .catch((err: unknown) => {
          if (!signal.aborted) this.#options.log.warn({ err }, 'weights are not set for now');
          return LOOK_AGAIN_MS;
        });
      await pause(waitMs, undefined, { signal }).catch(ignoring('the loop looks at the signal'));
    }
  }

  /** @returns milliseconds until the next look */
  async #look(signal: AbortSignal): Promise<number> {
    const settings = this.#options.settings();
    if (settings.setWeights === 'off') return LOOK_AGAIN_MS;
    return this.#withSetter(async (setter, netuid) => {
      const { hotkey, blocksToWait, block, lastSetBlock } = await setter.due(signal);
      this.#seen = { by: signedBy(settings), hotkey };
      const { now = Date.now } = this.#options;
      // Also of an earlier life, or by another program.
      if (lastSetBlock > 0) this.#note({ setAt: now() - (block - lastSetBlock) * BLOCK_MS });
      const dueMs = blocksToWait * BLOCK_MS;
      this.#note({ nextAt: now() + dueMs });
      if (blocksToWait === 0) await this.#set(setter, netuid, signal);
      return Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, dueMs));
    });
  }

  async #set(setter: Pick<WeightSetter, 'set'>, netuid: number, signal: AbortSignal): Promise<void> {
    const { weigh, now = Date.now, onChange, log } = this.#options;
    this.#isSetting = true;
    onChange();
    try {
      const weights = await weigh(netuid, (looked) => this.#looked(looked));
      const { uids, leftOut, block, hash, pending } = await setter.set(weights, { wait: true, signal });
      log.info({ uids: uids.length, leftOut: leftOut.length, block, hash, pending }, 'weights were set');
      this.#note({ setAt: now(), nextAt: null, onSubnet: uids.length });
    } finally {
      this.#isSetting = false;
    }
  }

  #looked({ checked, forged }: Looked): void {
    this.#note({ checked, forged });
    if (forged > 0)
      this.#options.log.warn({ checked, forged }, 'results are not as they were signed, and do not count');
  }

  async #withSetter<T>(use: (setter: Pick<WeightSetter, 'due' | 'set'>, netuid: number) => Promise<T>): Promise<T> {
    const settings = this.#options.settings();
    const netuid = netuidOf(settings);
    const { setter, close } = await this.#options.open(netuid, keyOf(settings));
    try {
      return await use(setter, netuid);
    } finally {
      await close();
    }
  }

  async #noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      this.#note({ fault: null });
      return done;
    } catch (error) {
      this.#note({ fault: faultOf(QuarryError.from(error)) });
      throw error;
    }
  }

  #note(change: Partial<Known>): void {
    this.#known = { ...this.#known, ...change };
    this.#options.onChange();
  }
}

function signedBy({ setWeights, wallet, hotkey, signerUrl }: ValidatorSettings): string | null {
  if (setWeights === 'off') return null;
  if (setWeights === 'signer') return signerUrl ?? null;
  return wallet === undefined ? null : `${wallet}/${hotkey}`;
}

function netuidOf({ netuid }: ValidatorSettings): number {
  if (netuid !== undefined) return netuid;
  throw lacking('validation.weights.noSubnet', 'validator.netuid');
}

function keyOf({ setWeights, wallet, hotkey, signerUrl: url, signerToken: token }: ValidatorSettings): WeightKey {
  if (setWeights === 'off') throw lacking('validation.weights.off', 'validator.setWeights');
  if (setWeights === 'wallet') {
    if (wallet === undefined) throw lacking('validation.weights.noWallet', 'validator.wallet');
    return { key: { wallet, hotkey } };
  }
  if (url === undefined || token === undefined) throw lacking('validation.weights.noSigner', 'validator.signerUrl');
  return { signer: { url, token } };
}

type Lack =
  | 'validation.weights.noSubnet'
  | 'validation.weights.off'
  | 'validation.weights.noWallet'
  | 'validation.weights.noSigner';

const lacking = (key: Lack, field: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say(key), hint: say('validation.weights.setThem'), field });
