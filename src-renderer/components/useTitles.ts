import { api } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { modelTitle } from '../i18n/model-title.ts';

/** What a model is called: by the catalogue where it is in there, else by its name. */
export function useTitles(): (name: string) => string {
  const { data = [] } = useAnswer(
    api.models.catalogue.queryOptions({ input: {}, staleTime: Number.POSITIVE_INFINITY }),
  );
  return (name) => data.find((model) => model.name === name)?.title ?? modelTitle(name).title;
}
