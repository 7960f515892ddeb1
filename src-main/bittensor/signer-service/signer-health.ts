import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { SharedWork } from '../../base/shared-work.ts';
import type { AuditLog } from './audit-log.ts';

export interface SignerHealthOptions {
  audit: Pick<AuditLog, 'failure'>;
  /** @throws NOT_RUNNING within seconds where the hotkey cannot sign now */
  check: () => Promise<void>;
  log: Logger;
  /** Milliseconds. */
  now: () => number;
}

/** Milliseconds for which the key is not asked again: everybody may ask how the signer is. */
const FRESH_MS = 1_000;

const NOT_WRITTEN =
  'The audit log cannot be written, so nothing is signed any more. Make room on its disk, and start the signer anew.';

/** Whether a signer can do what it is there for. What it says goes to everybody: no names, no paths, no reasons of the system. */
export class SignerHealth {
  readonly #options: SignerHealthOptions;
  readonly #looking = new SharedWork<string | undefined>();
  #known: { at: number; fault: string | undefined } | undefined;

  constructor(options: SignerHealthOptions) {
    this.#options = options;
  }

  /** @returns what is wrong, and what is to be done about it; undefined while all is well */
  async fault(): Promise<string | undefined> {
    const { audit, now } = this.#options;
    if (audit.failure) return NOT_WRITTEN;
    if (this.#known && Math.abs(now() - this.#known.at) < FRESH_MS) return this.#known.fault;
    return this.#looking.take('key', () => this.#look());
  }

  async #look(): Promise<string | undefined> {
    const { check, log, now } = this.#options;
    const before = this.#known?.fault;
    let fault: string | undefined;
    try {
      await check();
      if (before) log.info('the hotkey can sign again');
    } catch (error) {
      const { message, hint } = QuarryError.from(error);
      fault = hint ? `${message} ${hint}` : message;
      if (fault !== before) log.error({ err: error }, 'the hotkey cannot sign');
    }
    this.#known = { at: now(), fault };
    return fault;
  }
}
