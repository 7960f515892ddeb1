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
  void queryClient.invalidateQueries({
    queryKey: api.credits.trusted.key(),
    predicate: ({ state }) => pageCount(state.data) <= 1,
  });
  void queryClient.invalidateQueries({
    queryKey: api.credits.entries.key(),
    // Whoever reads further down does not want the list to move: there is a button.
    predicate: ({ state }) => pageCount(state.data) <= 1,
  });
}

function pageCount(data: unknown): number {
  return (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0;
}
