import type { HubQuantisation } from '../../../../src-preload/contract/hub.ts';
import type { LocalModel } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';

/** The model of this computer that is this very file; undefined where it is not here. */
export function useOwn({ sha256, model, installed }: HubQuantisation): LocalModel | undefined {
  const { data = [] } = useAnswer(api.models.list.queryOptions());
  return data.find((one) => (sha256 === null ? installed && one.name === model : one.sha256 === sha256));
}
