import type { Setting } from '../../../src-preload/contract/settings.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useSetSettings } from '../../state/settings.ts';
import { sentenceAtField } from './sentence-at-field.ts';

/** One setting as a field that saves itself. */
export interface SettingHandle {
  setting: Setting;
  /** Something above the app holds it: it cannot be changed here. */
  held: boolean;
  /** What main said against the last change, with what to do about it. */
  error: string | undefined;
  saving: boolean;
  /** The last change has been saved. */
  saved: boolean;
  /** Null takes back what was set in the app. */
  save(value: unknown, onSaved?: () => void): void;
  /** Forgets the last change and what main said about it. */
  forget(): void;
}

/** Undefined while the settings are on their way. */
export function useSettingField(path: string): SettingHandle | undefined {
  const { data } = useAnswer(api.settings.list.queryOptions());
  const set = useSetSettings();
  const setting = data?.settings.find((one) => one.path === path);
  if (!setting) return undefined;
  return {
    setting,
    held: isHeld(setting),
    error: set.error ? sentenceAtField(set.error) : undefined,
    saving: set.isPending,
    saved: set.isSuccess,
    save: (value, onSaved) => set.mutate({ changes: { [path]: value } }, { onSuccess: onSaved }),
    forget: () => set.reset(),
  };
}

/** Whether the app cannot change it: it was given when Quarry was started, or says where the app keeps its settings. */
export function isHeld({ path, origin }: Setting): boolean {
  return origin === 'environment' || origin === 'command line' || path === 'dataDir';
}
