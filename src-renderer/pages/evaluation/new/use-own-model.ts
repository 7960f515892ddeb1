import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useNode } from '../../../state/node.ts';

/** The name of this computer's model: of the one that is loaded, or would be; undefined where none is chosen. */
export function useOwnModel(): string | undefined {
  const loaded = useNode(({ status }) => status?.engine.model?.name);
  const { data: models = [] } = useAnswer(api.models.list.queryOptions());
  return loaded ?? models.find(({ selected }) => selected)?.name;
}

/** Whether this node runs no model, so that only others can be asked. */
export function useRunsNone(): boolean {
  return useNode(({ status }) => status !== undefined && status.mining === undefined);
}
