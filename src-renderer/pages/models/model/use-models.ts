import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { type ModelRow, modelRows } from './model-rows.ts';

/** Every model that is here or can be had; undefined while the lists are on their way. */
export function useModels(downloads: readonly Download[] | undefined) {
  const local = useAnswer(api.models.list.queryOptions());
  const catalogue = useAnswer(api.models.catalogue.queryOptions({ input: {} }));
  const { data: forecasts = [] } = useAnswer(api.credits.forecasts.queryOptions());
  const details = useQueries({
    queries: (local.data ?? []).map(({ name }) => api.models.show.queryOptions({ input: { name } })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  });
  const rows = useMemo<ModelRow[] | undefined>(() => {
    if (!local.data || !catalogue.data) return undefined;
    const known = { local: local.data, catalogue: catalogue.data, downloads: downloads ?? [] };
    return modelRows({ ...known, details, forecasts });
  }, [local.data, catalogue.data, details, downloads, forecasts]);
  const refetch = () => Promise.all([local.refetch(), catalogue.refetch()]);
  return { rows, error: local.error ?? catalogue.error, refetch };
}
