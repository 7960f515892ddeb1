import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DesktopState } from '../../../src-preload/contract/desktop.ts';
import { api } from '../../api/client.ts';
import { toQuarryError } from '../../api/errors.ts';
import { queryClient } from '../../api/query-client.ts';
import { worded } from '../../i18n/worded.ts';

/** The system's own switch: whether the app starts when its user logs in. */
export function StartOnLogin({ desktop }: { desktop: DesktopState }) {
  const { t } = useTranslation('settings');
  const set = useMutation(
    api.desktop.setStartOnLogin.mutationOptions({
      onSuccess: (state) => queryClient.setQueryData(api.desktop.state.queryKey(), state),
    }),
  );
  const impossible = desktop.available && desktop.startOnLogin === null;
  return (
    <Switch
      label={t('desktop.startOnLogin')}
      description={t(impossible ? 'desktop.startOnLoginImpossible' : 'desktop.startOnLoginHelp')}
      checked={desktop.startOnLogin ?? false}
      disabled={desktop.startOnLogin === null || set.isPending}
      error={set.error && worded(toQuarryError(set.error), 'message')}
      onChange={(event) => set.mutate({ on: event.currentTarget.checked })}
    />
  );
}
