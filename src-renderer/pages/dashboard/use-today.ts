import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';

/** Reasons and comparisons move slowly; what was earned comes with the summary. */
const REFRESH_MS = 30_000;

/** What today has brought, against other days and against what it could have. */
export function useToday() {
  return useAnswer(api.credits.today.queryOptions({ refetchInterval: REFRESH_MS }));
}
