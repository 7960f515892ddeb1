import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { waitAfter } from '../../base/back-off.ts';
import type { Signer } from '../../base/signing.ts';
import type { Lease } from '../../store/results/leases.ts';
import type { SignedResult } from '../../store/results/signed-result.ts';
import { judgedOf } from '../judged.ts';
import { signResult } from '../result.ts';
import type { Examined } from './examine.ts';
import type { Miner } from './miner.ts';
import type { RunLeases } from './run-leases.ts';
import { AFTER_FAILURE } from './run-options.ts';

export interface ResultKeepingNeeds {
  leases: Pick<RunLeases, 'end'>;
  signer: Signer;
  /** Unix milliseconds. */
  now: () => number;
  /** Told of what keeps a result from being kept, as often as it does. */
  onTrouble: (trouble: QuarryError) => void;
}

const UNKEPT = 'What it said cannot be kept.';

/** Keeps what came of challenges, signed. Where the database is away for a moment, it waits for it. */
export class ResultKeeping {
  readonly #needs: ResultKeepingNeeds;

  constructor(needs: ResultKeepingNeeds) {
    this.#needs = needs;
  }

  /** @returns whether it was still this run’s: else nothing is written @param signal ends the waiting @throws what does not pass */
  async keep(
    lease: Lease,
    { id, model, revision, uid, block }: Miner,
    challengeId: string,
    { answer, score, accuracy, keeps, reason, error, attempts, latencyMs, firstByteMs }: Examined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { environment, version: environmentVersion, level, seed } = lease;
    const posed = { environment, environmentVersion, level, seed, challengeId };
    const asked = { miner: id, model, revision, uid, block };
    const told = { ...(accuracy !== undefined && { accuracy }), ...(firstByteMs !== undefined && { firstByteMs }) };
    const outcome = { answer, score, keeps, reason, error: error?.message ?? null, attempts, latencyMs, ...told };
    const about = judgedOf(posed, asked, outcome, this.#needs.now());
    try {
      return await this.#end(lease, signResult(about, this.#needs.signer), signal);
    } catch (failure) {
      if (QuarryError.from(failure).code !== 'BAD_REQUEST') throw failure;
      // What a stranger says in a way that cannot be kept is no answer: else it had none that is bad.
      const bare = {
        answer: null,
        score: 0,
        accuracy: undefined,
        reason: null,
        success: false,
        error: UNKEPT,
        model: '',
        revision: '',
      };
      return this.#end(lease, signResult({ ...about, ...bare }, this.#needs.signer), signal);
    }
  }

  async #end(lease: Lease, result: SignedResult, signal: AbortSignal): Promise<boolean> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.#needs.leases.end(lease, result);
      } catch (failure) {
        if (!QuarryError.from(failure).retryable || signal.aborted) throw failure;
        this.#needs.onTrouble(QuarryError.from(failure));
        await waitAfter(failures, AFTER_FAILURE, signal);
      }
    }
  }
}
