import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { taggedBytes } from '../../../../base/signing.ts';
import { Turns } from '../../../../base/turns.ts';
import type { Signer } from '../../../../bittensor/signer.ts';
import { verify } from '../../../../bittensor/sr25519.ts';
import type { CompetitionGuards, Reading } from '../../../../store/competition/competition-guards.ts';
import { BLOCK_MS } from '../rules/terms.ts';
import { CompetitionProblem } from './competition-problem.ts';

/** Tells which block it is. No reading is lower than one before it. */
export interface BlockClock {
  readonly kind: 'chain' | 'local';
  /** @throws CompetitionProblem UNAVAILABLE where nobody knows */
  now(): Promise<number>;
}

/** Milliseconds for which a height is good: many ask at once. */
const HEIGHT_MS = 3_000;

/** By the height of the chain. */
export class ChainClock implements BlockClock {
  readonly kind = 'chain';
  readonly #head: () => Promise<number>;
  readonly #now: () => number;
  #seen = { block: 0, at: Number.NEGATIVE_INFINITY };

  /** @param head the newest block @param now Unix milliseconds */
  constructor(head: () => Promise<number>, now: () => number) {
    this.#head = head;
    this.#now = now;
  }

  async now(): Promise<number> {
    const at = this.#now();
    if (Math.abs(at - this.#seen.at) < HEIGHT_MS) return this.#seen.block;
    try {
      const block = Math.max(this.#seen.block, await this.#head());
      this.#seen = { block, at };
      return block;
    } catch (cause) {
      throw new CompetitionProblem('UNAVAILABLE', 'The chain does not answer.', { cause, retryAfterMs: BLOCK_MS });
    }
  }
}

export interface LocalClockOptions {
  server: Pick<Signer, 'address' | 'publicKey' | 'sign'>;
  store: Pick<CompetitionGuards, 'reading' | 'putReading'>;
  /** Unix milliseconds. */
  now: () => number;
}

/**
 * Blocks of twelve seconds where there is no chain. Its last reading is on the disk, signed, before it is told: it goes on from there, also after a restart, with a clock
 * that was set back, or where somebody else has written into the database, which is refused.
 */
export class LocalClock implements BlockClock {
  readonly kind = 'local';
  readonly #options: LocalClockOptions;
  readonly #turns = new Turns();
  #last: Omit<Reading, 'signature'>;

  private constructor(options: LocalClockOptions, last: Omit<Reading, 'signature'>) {
    this.#options = options;
    this.#last = last;
  }

  /** @throws DATABASE_CORRUPT for a reading that this server has not signed */
  static async open(options: LocalClockOptions): Promise<LocalClock> {
    const { server, store, now } = options;
    const kept = await store.reading();
    if (kept && !verify(readingBytes(server.address, kept), Buffer.from(kept.signature, 'hex'), server.publicKey)) {
      throw new QuarryError({ code: 'DATABASE_CORRUPT', message: say('competition.clockForged') });
    }
    return new LocalClock(options, kept ?? { block: 0, at: now() - BLOCK_MS });
  }

  now(): Promise<number> {
    return this.#turns.take(() => this.#read());
  }

  async #read(): Promise<number> {
    const { server, store, now } = this.#options;
    const { block, at } = this.#last;
    const passed = Math.floor((now() - at) / BLOCK_MS);
    if (passed === 0) return block;
    // A clock that was set back goes on from where it stands now.
    const next = passed > 0 ? { block: block + passed, at: at + passed * BLOCK_MS } : { block, at: now() };
    const signature = Buffer.from(await server.sign(readingBytes(server.address, next))).toString('hex');
    await store.putReading({ ...next, signature });
    this.#last = next;
    return next.block;
  }
}

function readingBytes(server: string, { block, at }: Omit<Reading, 'signature'>): Buffer {
  return taggedBytes('quarry-block-1', { server, block, at });
}
