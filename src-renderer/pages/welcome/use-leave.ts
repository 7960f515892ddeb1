import { useMutation } from '@tanstack/react-query';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { tellError } from '../../components/errors/tell-error.ts';
import { useWelcome } from './welcome-state.ts';

/**
 * Ends the welcome and opens the page of the address: the dashboard, or what a link asked for meanwhile. Where that cannot be written down (a full disk, a setting that the environment
 * holds), it ends for this visit all the same: nobody is kept here.
 */
export function useLeave(): { leave: () => void; isLeaving: boolean } {
  const set = useMutation(
    api.settings.set.mutationOptions({
      onSuccess: (view) => open(view),
      onError: (error) => {
        tellError(error);
        open(queryClient.getQueryData(api.settings.list.queryKey()));
      },
    }),
  );
  return { leave: () => set.mutate({ changes: { showWelcome: false } }), isLeaving: set.isPending };
}

function open(view: SettingsView | undefined): void {
  useWelcome.setState({ step: 'hello' });
  queryClient.setQueryData(api.settings.list.queryKey(), view && withoutWelcome(view));
}

function withoutWelcome(view: SettingsView): SettingsView {
  const settings = view.settings.map((one) => (one.path === 'showWelcome' ? { ...one, value: false } : one));
  return { ...view, settings };
}
