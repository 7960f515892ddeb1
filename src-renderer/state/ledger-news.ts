import { api, client } from '../api/client.ts';
import { useLive } from '../api/live.ts';
import { queryClient } from '../api/query-client.ts';

/** Asks again for everything that follows from the ledger whenever it has grown. */
export function useLedgerNews(): void {
  useLive((signal) => client.credits.watch(undefined, { signal }), askAgain);
}

function askAgain(): void {
  for (const { key } of [api.credits.summary, api.credits.served, api.credits.days, api.credits.sources]) {
    void queryClient.invalidateQueries({ queryKey: key() });
  }
  for (const { key } of [api.credits.trusted, api.credits.debtors, api.credits.entries]) {
    void queryClient.invalidateQueries({
      queryKey: key(),
      // Whoever reads further down does not want the list to move.
      predicate: ({ state }) => pageCount(state.data) <= 1,
    });
  }
}

function pageCount(data: unknown): number {
  return (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0;
}
