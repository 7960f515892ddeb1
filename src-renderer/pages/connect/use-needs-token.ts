import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';

/** Stands in snippets where people put the token, which no screen shows. */
export const TOKEN_HERE = 'YOUR_TOKEN';

/** Whether callers of the API must send a token. */
export function useNeedsToken(): boolean {
  const { data } = useAnswer(api.settings.list.queryOptions());
  return data?.settings.some(({ path, isSet }) => path === 'apiToken' && isSet) ?? false;
}
