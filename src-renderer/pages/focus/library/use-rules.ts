import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';

/** What the rules on this computer say of a recording that is at its end: the same each time. */
export function useRules(id: string) {
  return useAnswer(api.focus.score.queryOptions({ input: { id }, staleTime: Number.POSITIVE_INFINITY }));
}
