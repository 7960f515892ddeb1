import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';

/** Has the list of miners asked for anew. @returns true */
export async function refreshMiners(): Promise<true> {
  await queryClient.invalidateQueries({ queryKey: api.validator.miners.key() });
  return true;
}
