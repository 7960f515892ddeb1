import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { useSetting } from '../../state/settings.ts';

interface DesktopSwitchProps {
  path: 'desktop.startMinimised' | 'desktop.closeToTray' | 'desktop.notifications';
  available: boolean;
}

/** A setting of the desktop app; only to look at where there is none. */
export function DesktopSwitch({ path, available }: DesktopSwitchProps) {
  const { t } = useTranslation('settings');
  const on = useSetting<boolean>(path) ?? false;
  if (available) return <SettingField path={path} />;
  return (
    <Switch disabled checked={on} readOnly label={t(`field.${path}.label`)} description={t(`field.${path}.help`)} />
  );
}
