import { useTranslation } from 'react-i18next';
import type { NamedPath } from './named-path.ts';
import { SettingControl } from './SettingControl.tsx';
import type { ControlShape } from './shapes.ts';

/** A setting that people change, by its human name. */
export function SettingField({ path, ...shape }: ControlShape & { path: NamedPath }) {
  const { t } = useTranslation('settings');
  return <SettingControl path={path} label={t(`field.${path}.label`)} help={t(`field.${path}.help`)} {...shape} />;
}
