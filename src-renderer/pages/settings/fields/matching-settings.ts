import type { Setting } from '../../../../src-preload/contract/settings.ts';
import { settingTitle } from '../../../i18n/setting-title.ts';
import { worded } from '../../../i18n/worded.ts';

interface Wanted {
  /** Words that must all be in the title, the path or the description, as it is shown or in English. */
  text: string;
  /** Leaves out those that have their default. */
  changedOnly: boolean;
}

export function matchingSettings(settings: Setting[], { text, changedOnly }: Wanted): Setting[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter((setting) => {
    const { path, description } = setting;
    const searched = `${settingTitle(setting)} ${path} ${worded(setting, 'description')} ${description}`.toLowerCase();
    return !(changedOnly && setting.origin === 'default') && words.every((word) => searched.includes(word));
  });
}
