import { useTranslation } from 'react-i18next';
import { SettingControl } from './SettingControl.tsx';
import type { ControlShape } from './shapes.ts';

type SettingsTexts = typeof import('../../i18n/en/settings.json');

type PathsOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends { label: string } ? Key : `${Key}.${PathsOf<Texts[Key]>}`;
}[keyof Texts & string];

/** Settings that have a name and a word of help in every language. */
export type NamedPath = PathsOf<SettingsTexts['field']>;

/** A setting that people change, by its human name. */
export function SettingField({ path, ...shape }: ControlShape & { path: NamedPath }) {
  const { t } = useTranslation('settings');
  return <SettingControl path={path} label={t(`field.${path}.label`)} help={t(`field.${path}.help`)} {...shape} />;
}
