import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';

/** Has the list of miners, and of their hotkeys, asked for anew. @returns true */
export async function refreshMiners(): Promise<true> {
  const { miners, hotkeys } = api.validator;
  await Promise.all([miners, hotkeys].map((one) => queryClient.invalidateQueries({ queryKey: one.key() })));
  return true;
}
