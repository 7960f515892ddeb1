import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';

/** So many tries fail, in about three seconds, before a person is told; trying goes on. */
const TRIES_BEFORE_A_WORD = 6;

/** What main answers to a question, as it stands. */
export interface Answer<Data> {
  data: Data | undefined;
  /** Why there is no answer, or no newer one: also while it is still tried. */
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  /** What is shown is the answer to the question before. */
  isPlaceholderData: boolean;
  refetch: () => Promise<unknown>;
}

/** Asks main: `useAnswer(api.models.list.queryOptions())`. */
export function useAnswer<FnData, Failure, Data = FnData, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<FnData, Failure, Data, Key>,
): Answer<Data> {
  const { data, error, failureCount, failureReason, isPending, isFetching, isPlaceholderData, refetch } =
    useQuery(options);
  const reason = failureCount >= TRIES_BEFORE_A_WORD ? failureReason : null;
  return { data, error: error ?? reason, isPending, isFetching, isPlaceholderData, refetch };
}
