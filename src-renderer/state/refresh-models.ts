import { api } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';

/** Asks again for everything that hangs on which models are here. */
export async function refreshModels(): Promise<void> {
  const { list, show, catalogue, recommend, diskUse, sharing } = api.models;
  const { searcher } = api.conversations;
  await Promise.all(
    [list, show, catalogue, recommend, diskUse, sharing, searcher].map((question) =>
      queryClient.invalidateQueries({ queryKey: question.key() }),
    ),
  );
}
