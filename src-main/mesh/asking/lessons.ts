import type { Logger } from 'pino';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { Ask } from './ask.ts';
import type { Attempt } from './attempt.ts';
import type { Experience } from './experience.ts';
import type { OwnClaims } from './own-claims.ts';
import { EmptyAnswer } from './retry-policy.ts';
import type { SelfReport } from './selection.ts';

export interface LessonsOptions {
  experience: Experience;
  claims: OwnClaims;
  now: () => number;
  log: Logger;
}

/** What the outcome of an attempt teaches: of its worker, of those who blamed the request, and of those who vouched. */
export class Lessons {
  readonly #options: LessonsOptions;

  constructor(options: LessonsOptions) {
    this.#options = options;
  }

  /** @param selfReport what the worker said of itself when it was chosen */
  answered({ peer, vouchers }: Attempt, selfReport: SelfReport, { tries }: Ask, result: GenerateResult): void {
    const { experience, claims, now } = this.#options;
    const served = result.text !== '';
    if (served) experience.answered(peer.id, selfReport, result, now());
    else experience.disappointed(peer.id, now());
    for (const liar of tries.blamedFalsely(selfReport)) experience.blamed(liar, now());
    claims.brought(peer.id, vouchers, served);
  }

  /** @param failure no trouble of this node's own */
  failed(
    { peer, accepted, begun, ageMs, vouchers }: Attempt,
    selfReport: SelfReport,
    ask: Ask,
    failure: QuarryError,
  ): void {
    const { experience, claims, now, log } = this.#options;
    const { id: worker } = peer;
    const { code, retryAfterMs } = failure;
    const late = ageMs >= experience.lateMs;
    ask.tries.failed({ worker, code, selfReport, accepted, proven: experience.works(worker), retryAfterMs });
    // Cancelled although the answer is wanted: another worker was faster. It counts only if this one had its time.
    const overtaken = code === 'CANCELLED' && !ask.signal.aborted;
    if ((overtaken && late) || failure instanceof EmptyAnswer) experience.disappointed(worker, now());
    else experience.failed(worker, selfReport, failure, now(), ageMs, accepted);
    // One that this node ended itself counts only if there was nothing of it yet when it was late.
    const endedHere = code === 'CANCELLED' || code === 'DEADLINE';
    if (!endedHere || (!begun && late)) claims.brought(worker, vouchers, false);
    log.info({ worker, code, why: failure.message }, 'a worker did not answer');
  }
}
