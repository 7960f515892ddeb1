import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { MEASURE_WORDS } from '../../inference/verified/measure-words.ts';
import type { AuditFinding } from '../../inference/verified/thresholds.ts';

/** What a finding says of the worker that was found out, as a clause. */
export function verdictOf({ measure, found, threshold, tokens }: AuditFinding): Saying {
  const figures = { found: found.toFixed(3), threshold: threshold.toFixed(3), tokens };
  return say('audits.otherModel', { measure: MEASURE_WORDS[measure], ...figures });
}
