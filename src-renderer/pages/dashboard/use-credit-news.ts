import { api, client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { queryClient } from '../../api/query-client.ts';

/** Asks anew for whatever comes out of the ledger, whenever it has grown. */
export function useCreditNews(): void {
  useLive(
    (signal) => client.credits.watch(undefined, { signal }),
    () => {
      void queryClient.invalidateQueries({ queryKey: api.credits.summary.key() });
      void queryClient.invalidateQueries({ queryKey: api.credits.served.key() });
    },
  );
}
