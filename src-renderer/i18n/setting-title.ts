import type { Setting } from '../../src-preload/contract/settings.ts';
import { i18n } from './i18n.ts';
import { worded } from './worded.ts';

/** What a setting is called where people read it: its field's label, its name in the texts, or what main says of it. */
export function settingTitle(setting: Setting): string {
  const { path } = setting;
  if (i18n.exists(`settings:field.${path}.label`)) return i18n.t(`settings:field.${path}.label`);
  if (i18n.exists(`settings:name.${path}`)) return i18n.t(`settings:name.${path}`);
  return worded(setting, 'description').replace(/\.$/, '');
}
