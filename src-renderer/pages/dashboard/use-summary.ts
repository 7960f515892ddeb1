import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** «Today» ends at midnight, and no event tells. */
const REFRESH_MS = 5 * 60_000;

/** Credits, points and achievements as they stand. */
export function useSummary() {
  return useQuery(api.credits.summary.queryOptions({ refetchInterval: REFRESH_MS }));
}
