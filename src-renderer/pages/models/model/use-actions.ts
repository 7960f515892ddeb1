import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { tellError } from '../../../components/errors/tell-error.ts';

/** Starts a download. */
export function usePull() {
  const { t } = useTranslation('models');
  return useMutation(
    api.models.pull.mutationOptions({
      onError: (error) => tellError(error, t('card.notStarted')),
    }),
  );
}

/** Makes a model the one that mining loads. */
export function useChoose() {
  const { t } = useTranslation('models');
  return useMutation(
    api.models.choose.mutationOptions({
      onSuccess: (models) => {
        queryClient.setQueryData(api.models.list.queryKey(), models);
        void queryClient.invalidateQueries({ queryKey: api.settings.key() });
      },
      onError: (error) => tellError(error, t('local.notChosen')),
    }),
  );
}
