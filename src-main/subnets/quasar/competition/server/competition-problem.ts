import { type ProblemDetails, RequestProblem } from '../../../../bittensor/signed-requests/request-problem.ts';
import type { CompetitionErrorCode } from '../wire.ts';

/** What only a competition says, besides what every server of signed requests does. */
const STATUS = { MISMATCH: 400, FULL: 429 } as const;

/** Why a competition does not do what it was asked, in English, for a program of whoever asks. */
export class CompetitionProblem extends RequestProblem<keyof typeof STATUS> {
  constructor(code: CompetitionErrorCode, message: string, details?: ProblemDetails) {
    super(code, message, details, STATUS);
  }
}

export function notFound(what: 'submission' | 'round' | 'artefact' | 'ban'): CompetitionProblem {
  return new CompetitionProblem('NOT_FOUND', `There is no such ${what}.`);
}
