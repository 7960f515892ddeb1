import type { Logger } from 'pino';
import type { Signer, Verify } from '../../base/signing.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import type { Environment } from '../environment.ts';
import type { Patience } from './examine.ts';
import type { ListMiners } from './miner.ts';

export interface RunSettings extends Patience {
  /** What is asked, each with its level. */
  environments: readonly { environment: Environment; level: string }[];
  /** Challenges that are asked at once, of all miners and of one. */
  concurrency: number;
  perMiner: number;
  /** Questions that one miner is asked in an hour; further tries of one are not counted. */
  perHour: number;
  /** Results that count: of so many days, and of these validators beside oneself. */
  days: number;
  /** Results that are kept: of so many days, or of those that count where these are more. */
  keepDays: number;
  trust: readonly string[];
}

export interface ValidatorRunOptions {
  /** Opened when they are needed: where their server is away, the run waits for it. */
  results: Pick<ResultsDb, 'open' | 'leases' | 'list' | 'means' | 'deleteBefore'>;
  miners: ListMiners;
  /** Read anew for each challenge. */
  settings: () => RunSettings;
  /** What a lease of an earlier life may be of. */
  environmentOf: (name: string) => Environment | undefined;
  signer: Signer;
  /** How signatures of challenges are checked that others began. */
  verify: Verify;
  /** Milliseconds that what is being asked has, once the run is to end. Default 10,000. */
  graceMs?: number;
  /** It begins nothing more that could bring an answer beyond so many. Default: no bound. */
  mostAnswers?: number | undefined;
  /** How often miners are looked for, and results of others counted. Default 5,000 and 1,200,000 ms. */
  minersMs?: number;
  countMs?: number;
  /** How often what others did not end is looked for, milliseconds. Default 5,000. */
  lapsedMs?: number;
  /**
   * How long a challenge may take; after that it is anybody’s. Default: its tries with the pauses between them, and three minutes to judge it. While its
   * answer waits to be judged, that goes on.
   */
  leaseMs?: number;
  /** 0 ≤ x < 1. Default Math.random. */
  random?: () => number;
  /** Unix milliseconds. Default: Date.now, and for leases the clock of the database. */
  now?: () => number;
  log: Logger;
}

/** For judging, beside the time for the answer: programs of strangers run for a while. */
export const JUDGING_MS = 180_000;
/** Where the database is away. */
export const AFTER_FAILURE = { firstMs: 1_000, longestMs: 60_000 };

/** How long a challenge may take, milliseconds. */
export function leaseMsOf({ leaseMs, settings }: Pick<ValidatorRunOptions, 'leaseMs' | 'settings'>): number {
  if (leaseMs !== undefined) return leaseMs;
  const { timeoutMs, retries } = settings();
  return (timeoutMs + AFTER_FAILURE.longestMs) * (retries + 1) + JUDGING_MS;
}
