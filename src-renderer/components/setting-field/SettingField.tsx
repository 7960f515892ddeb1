import { useTranslation } from 'react-i18next';
import type { en } from '../../i18n/en.ts';
import { type ControlShape, SettingControl } from './SettingControl.tsx';

type PathsOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends { label: string } ? Key : `${Key}.${PathsOf<Texts[Key]>}`;
}[keyof Texts & string];

/** Settings that have a name and a word of help in every language. */
export type NamedPath = PathsOf<(typeof en)['settings']['field']>;

/** A setting that people change, by its human name. */
export function SettingField({ path, ...shape }: ControlShape & { path: NamedPath }) {
  const { t } = useTranslation('settings');
  return <SettingControl path={path} label={t(`field.${path}.label`)} help={t(`field.${path}.help`)} {...shape} />;
}
