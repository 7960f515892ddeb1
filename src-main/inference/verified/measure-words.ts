import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { AuditMeasure } from './audit.ts';

/** What an audit measures, for people. */
export const MEASURE_WORDS: Readonly<Record<AuditMeasure, Saying>> = {
  top: say('audits.top'),
  chosen: say('audits.chosen'),
  mismatches: say('audits.mismatches'),
};
