import type { EnvironmentView } from '../../../src-preload/contract/validator.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';

/** What there is to be asked; undefined while it is on its way. */
export function useEnvironments(): EnvironmentView[] | undefined {
  return useAnswer(api.validator.environments.queryOptions()).data;
}
