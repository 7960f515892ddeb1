import type { Logger } from 'pino';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { Ask } from './ask.ts';
import type { Attempt } from './attempt.ts';
import type { Experience } from './experience.ts';
import type { OwnClaims } from './own-claims.ts';
import { EmptyAnswer } from './retry-policy.ts';
import { type Claimed, lateAfterMs } from './selection.ts';

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

  /** @param claimed what the worker said of itself when it was chosen */
  answered({ peer, vouchers }: Attempt, claimed: Claimed, { tries }: Ask, result: GenerateResult): void {
    const { experience, claims, now } = this.#options;
    const served = result.text !== '';
    if (served) experience.answered(peer.id, claimed, result, now());
    else experience.disappointed(peer.id, now());
    for (const liar of tries.blamedFalsely(claimed)) experience.blamed(liar, now());
    claims.brought(peer.id, vouchers, served);
  }

  /** @param failure no trouble of this node's own */
  failed({ peer, accepted, begun, ageMs, vouchers }: Attempt, claimed: Claimed, ask: Ask, failure: QuarryError): void {
    const { experience, claims, now, log } = this.#options;
    const { id: worker } = peer;
    const { code, retryAfterMs } = failure;
    const late = ageMs >= lateAfterMs(experience.lateMs, claimed.loadMs, ageMs + ask.leftMs);
    ask.tries.failed({ worker, code, selfReport: claimed, accepted, proven: experience.works(worker), retryAfterMs });
    // Cancelled although the answer is wanted: another worker was faster. It counts only if this one had its time.
    const overtaken = code === 'CANCELLED' && !ask.signal.aborted;
    if ((overtaken && late) || failure instanceof EmptyAnswer) experience.disappointed(worker, now());
    else experience.failed(worker, claimed, failure, now(), ageMs, { accepted, begun });
    // One that this node ended itself counts only if there was nothing of it yet when it was late.
    const endedHere = code === 'CANCELLED' || code === 'DEADLINE';
    if (!endedHere || (!begun && late)) claims.brought(worker, vouchers, false);
    log.info({ worker, code, why: failure.message }, 'a worker did not answer');
  }
}
