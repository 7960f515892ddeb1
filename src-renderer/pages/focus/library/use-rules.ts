import type { RulesScoreView } from '../../../../src-preload/contract/focus.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';

/** What the rules on this computer say of a recording that is at its end: the same each time. */
export function useRules(id: string) {
  return useAnswer(api.focus.score.queryOptions({ input: { id }, staleTime: Number.POSITIVE_INFINITY }));
}

/** One rule is enough. */
export function isRefused({ findings }: RulesScoreView): boolean {
  return findings.some(({ outcome }) => outcome === 'failed');
}
