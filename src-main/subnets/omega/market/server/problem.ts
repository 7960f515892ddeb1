import { type ProblemDetails, RequestProblem } from '../../../../bittensor/signed-requests/request-problem.ts';
import type { MarketErrorCode } from '../wire.ts';

/** What only a market says, besides what every server of signed requests does. */
const STATUS = { PAYMENT: 400, LOCKED: 409, PRICE: 409, GONE: 410, BUDGET: 429 } as const;

/** Why a market does not do what it was asked, in English, for a program of the buyer or the seller. */
export class Problem extends RequestProblem<keyof typeof STATUS> {
  constructor(code: MarketErrorCode, message: string, details?: ProblemDetails) {
    super(code, message, details, STATUS);
  }
}

/** Another's, too: whoever asks learns nothing of it. */
export function notFound(what: 'offer' | 'purchase' | 'video'): Problem {
  return new Problem('NOT_FOUND', `There is no such ${what}.`);
}
