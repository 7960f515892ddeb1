import { useMutation } from '@tanstack/react-query';
import type { SettingsView } from '../../src-preload/contract/settings.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { useAnswer } from '../api/use-answer.ts';

/** A setting's value now; undefined while the settings are not there, or nothing is set. */
export function settingValue<T>(view: SettingsView | undefined, path: string): T | undefined {
  return view?.settings.find((setting) => setting.path === path)?.value as T | undefined;
}

/** One setting's value; undefined while the settings are on their way. */
export function useSetting<T>(path: string): T | undefined {
  const { data } = useAnswer(api.settings.list.queryOptions());
  return settingValue<T>(data, path);
}

/** Sets settings, all or none, and shows the answer everywhere. */
export function useSetSettings() {
  return useMutation(
    api.settings.set.mutationOptions({
      onSuccess: (view) => {
        queryClient.setQueryData(api.settings.list.queryKey(), view);
        // What a source of videos lacks, a setting gives: whoever sees it waits for that.
        void queryClient.invalidateQueries({ queryKey: api.data.sources.key() });
      },
    }),
  );
}
