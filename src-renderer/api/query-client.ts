import { onlineManager, QueryClient } from '@tanstack/react-query';
import { useConnection } from './connection.ts';
import { toQuarryError } from './errors.ts';

/** Calls wait while the connection to main is lost, and go on when it is back. */
onlineManager.setEventListener((setOnline) => useConnection.subscribe(({ state }) => setOnline(state === 'open')));
onlineManager.setOnline(false);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 20 && toQuarryError(error).retryable,
      retryDelay: 500,
    },
  },
});
