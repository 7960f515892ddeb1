import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';

/** What people call a model: its title where a catalogue has it, else its name. */
export function useModelTitles(): (name: string) => string {
  const { data } = useAnswer({
    ...api.models.catalogue.queryOptions({ input: {} }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (name) => data?.find((model) => model.name === name)?.title ?? name;
}
