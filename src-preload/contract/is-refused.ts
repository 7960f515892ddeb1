import type { RulesScoreView } from './focus.ts';

/** Whether the rules do not take a recording: one that is broken is enough. */
export function isRefused({
  findings,
}: {
  findings: readonly Pick<RulesScoreView['findings'][number], 'outcome'>[];
}): boolean {
  return findings.some(({ outcome }) => outcome === 'failed');
}
