import type { ErrorView } from '../../../src-preload/contract/error-schema.ts';
import { type Saying, say, told } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';

/** What the doctor looks at of a competition. */
export interface CompetitionFacts {
  error?: ErrorView | undefined;
  /** Null where it is not open. */
  served: {
    url: string;
    round: number;
    /** Those of the open round, by state. */
    submissions: Readonly<Record<string, number>>;
    appeals: number;
    /** Why the track for graphics cards is closed; null where it is held. */
    closed: Saying | null;
  } | null;
}

/** Whether the competition that is set is open. One that could not be opened says why. */
export function checkCompetition({ error, served }: CompetitionFacts): CheckResult {
  const name = 'competition';
  if (error) {
    const { message: found, hint: advice, said } = error;
    const worded = said && { ...(said.message && { found: said.message }), ...(said.hint && { advice: said.hint }) };
    return { name, status: 'fail', found, ...(advice !== undefined && { advice }), ...(worded && { said: worded }) };
  }
  if (!served) {
    const lacking = { found: say('competition.notServed'), advice: say('competition.notServed.hint') };
    return { name, status: 'fail', ...told(lacking) };
  }
  const { url, round, submissions, appeals, closed } = served;
  if (appeals > 0) {
    const waiting = { found: say('competition.appeals', { appeals }), advice: say('competition.appeals.advice') };
    return { name, status: 'warn', ...told(waiting) };
  }
  const entries = Object.values(submissions).reduce((sum, count) => sum + count, 0);
  const facts = { port: new URL(url).port || '80', round: String(round), entries };
  const found = closed
    ? say('competition.listensClosed', { ...facts, why: closed })
    : say('competition.listens', facts);
  return { name, status: 'ok', ...told({ found }) };
}
