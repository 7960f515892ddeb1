import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Signer, Verify } from '../../base/signing.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { Assignment, Lease, Leases } from '../../store/results/leases.ts';
import type { SignedResult } from '../../store/results/signed-result.ts';
import { isAsDrawn, signAssignment } from './drawn-assignment.ts';
import type { Miner } from './miner.ts';

export interface RunLeasesOptions {
  leases: Leases;
  signer: Signer;
  verify: Verify;
  /** Other validators whose challenges are taken over, and whose results count: read anew each time. */
  trust: () => readonly string[];
  /** How long a challenge may take; after that it is anybody’s. Milliseconds. */
  leaseMs: () => number;
  /** How often what others did not end is looked for, milliseconds. */
  lapsedMs: number;
  /** Unix milliseconds. Default: the clock of the database, since whoever shares it may have another one. */
  clock?: (() => number) | undefined;
  log: Logger;
}

/** A lease that is held on to is prolonged so often within its time. */
const PROLONGED = 3;
/** Miners that a line of the log names. */
const MOST_TOLD = 10;

/**
 * The challenges that one run has: drawn by itself, or taken over from validators that it trusts, which did not end them. What one of these has not
 * signed as it stands in the database is no challenge: somebody else has put it there.
 */
export class RunLeases {
  readonly #options: RunLeasesOptions;
  readonly #holder: string;
  /** Miners with challenges that others did not end, as far as the last look goes. */
  #owed = new Set<string>();
  /** Miners in whose name there were forged ones since the last look: one each was dropped. */
  #forged: string[] = [];
  readonly #takenOver = new WeakSet<Lease>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RunLeasesOptions) {
    this.#options = options;
    this.#holder = `${options.signer.id}:${randomBytes(8).toString('hex')}`;
  }

  /** By the clock that all have who share the database, Unix milliseconds. */
  async now(): Promise<number> {
    return this.#options.clock?.() ?? this.#options.leases.now();
  }

  /** Those of whom others did not end a challenge are asked nothing new until somebody has. */
  isOwed(miner: string): boolean {
    return this.#owed.has(miner);
  }

  async begin(assignment: Assignment): Promise<Lease> {
    const { leases, signer } = this.#options;
    return leases.begin(signAssignment(assignment, signer), this.#holder, await this.#end());
  }

  /** What others did not end, of one of these miners. Of each that has a forged one, no more than that is looked at until the next look. */
  async takeOver(free: readonly Pick<Miner, 'id'>[]): Promise<Lease | undefined> {
    const { leases, leaseMs, lapsedMs } = this.#options;
    const [now, drawnBy] = [await this.now(), this.#counting()];
    if (performance.now() - this.#lookedAt >= lapsedMs) {
      this.#tellForged();
      this.#owed = new Set(await leases.lapsed(now, drawnBy));
      this.#lookedAt = performance.now();
    }
    for (const { id } of free) {
      if (!this.#owed.has(id)) continue;
      const lease = await leases.takeOver(id, this.#holder, { now, until: now + leaseMs(), drawnBy });
      if (!lease) this.#owed.delete(id);
      else if (await this.#isGenuine(lease)) {
        this.#takenOver.add(lease);
        return lease;
      }
    }
    return undefined;
  }

  isTakenOver(lease: Lease): boolean {
    return this.#takenOver.has(lease);
  }

  /** Whether a challenge that was taken over has ended before: what was copied before it did, and put back, is not asked again. */
  hasEnded({ miner }: Lease, challengeId: string): Promise<boolean> {
    return this.#options.leases.hasResult({ miner, challengeId }, this.#counting());
  }

  /** Keeps a challenge from becoming anybody’s. @param mostMs so often at least @param onLost told where somebody else has taken it all the same */
  hold(lease: Lease, mostMs: number, onLost: () => void): { end: () => void } {
    const prolong = async () => {
      if (!(await this.#options.leases.prolong(lease, await this.#end()))) onLost();
    };
    const everyMs = Math.min(this.#options.leaseMs(), mostMs) / PROLONGED;
    const timer = setInterval(() => void prolong().catch(ignoring('the next time will do')), everyMs);
    return { end: () => clearInterval(timer) };
  }

  /** @returns whether it was still this run’s: else nothing is written */
  end(lease: Lease, result: SignedResult): Promise<boolean> {
    return this.#options.leases.end(lease, result, this.#counting());
  }

  /** Lets go of what is not to be asked. There may be more of that kind: its miner waits for none of these before the next look. */
  drop(lease: Lease): Promise<void> {
    this.#owed.delete(lease.miner);
    return this.#options.leases.drop(lease);
  }

  /** Gives up what this validator has, also in an earlier life, for whoever comes next. */
  async release(): Promise<void> {
    this.#tellForged();
    const { leases, signer } = this.#options;
    await leases.release(`${signer.id}:`, await this.now());
  }

  async forgetOlderThan(ms: number): Promise<void> {
    await this.#options.leases.forgetBefore((await this.now()) - ms);
  }

  async #isGenuine(lease: Lease): Promise<boolean> {
    if (isAsDrawn(lease, this.#options.verify)) return true;
    this.#forged.push(lease.miner);
    await this.drop(lease);
    return false;
  }

  /** In one line for each look, however many there are. */
  #tellForged(): void {
    const [count, miners] = [this.#forged.length, this.#forged.slice(0, MOST_TOLD)];
    this.#forged = [];
    if (count === 0) return;
    this.#options.log.warn(
      { count, miners },
      'challenges in the database are not as their validators drew them: dropped',
    );
  }

  #counting(): readonly string[] {
    return [this.#options.signer.id, ...this.#options.trust()];
  }

  async #end(): Promise<number> {
    return (await this.now()) + this.#options.leaseMs();
  }
}
