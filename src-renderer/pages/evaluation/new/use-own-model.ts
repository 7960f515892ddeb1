import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useNode } from '../../../state/node.ts';
import { useSetting } from '../../../state/settings.ts';

/** The model of this computer, and how many tokens it takes at once; undefined where that is not known. */
export function useOwnModel(): { name: string | undefined; contextSize: number | undefined } {
  const loaded = useNode(({ status }) => status?.engine.model);
  const { data: models = [] } = useAnswer(api.models.list.queryOptions());
  const wanted = useSetting<number>('contextSize');
  if (loaded) return { name: loaded.name, contextSize: loaded.contextSize };
  return { name: models.find(({ selected }) => selected)?.name, contextSize: wanted };
}
