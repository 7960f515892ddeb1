import { onlineManager, QueryClient } from '@tanstack/react-query';
import { useConnection } from './connection.ts';
import { toQuarryError } from './errors.ts';

/** Calls wait while the connection to main is lost, and go on when it is back. */
onlineManager.setEventListener((setOnline) => useConnection.subscribe(({ state }) => setOnline(state === 'open')));
onlineManager.setOnline(false);

/** Then less often: for about three quarters of a minute in all. */
const QUICK_TRIES = 6;
const MOST_TRIES = 20;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      // The node may have been started anew meanwhile, with other settings.
      refetchOnReconnect: 'always',
      retry: (failures, error) => failures < MOST_TRIES && toQuarryError(error).retryable,
      retryDelay: (failures) => (failures < QUICK_TRIES ? 500 : 3_000),
    },
  },
});
