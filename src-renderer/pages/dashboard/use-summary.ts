import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';

/** «Today» ends at midnight, and no event tells. */
const REFRESH_MS = 5 * 60_000;

/** Credits, points and achievements as they stand. */
export function useSummary() {
  return useAnswer(api.credits.summary.queryOptions({ refetchInterval: REFRESH_MS }));
}
