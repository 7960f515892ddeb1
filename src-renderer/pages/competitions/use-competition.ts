import { useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import { api, client } from '../../api/client.ts';
import { useLiveValue } from '../../api/live.ts';

/** A server is asked again, milliseconds: what changes there between is told by nobody. */
const LOOK_AGAIN_MS = 15_000;

/** What is set and what was submitted, as it changes. */
export function useCompetition() {
  return useLiveValue((signal) => client.competition.watch(undefined, { signal }));
}

/** Which round’s board is shown; it outlives a change of tab. Undefined: the one that ended last. */
export const useChosenRound = create<{ round: number | undefined }>(() => ({ round: undefined }));

/** The round that is open. @param server its address is part of what is asked, so that another one is asked anew */
export function useCurrentRound(server: string) {
  return useQuery(
    api.competition.current.queryOptions({ input: { server }, refetchInterval: LOOK_AGAIN_MS, retry: false }),
  );
}

export function useRounds(server: string) {
  return useQuery(
    api.competition.rounds.queryOptions({ input: { server }, refetchInterval: LOOK_AGAIN_MS, retry: false }),
  );
}

/** @param round undefined where none has ended */
export function useBoard(server: string, round: number | undefined) {
  const input = { server, ...(round !== undefined && { round }) };
  return useQuery(
    api.competition.leaderboard.queryOptions({
      input,
      enabled: round !== undefined,
      refetchInterval: LOOK_AGAIN_MS,
      retry: false,
    }),
  );
}
