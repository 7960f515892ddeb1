import { useTranslation } from 'react-i18next';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { Diagnostics } from './Diagnostics.tsx';
import { Doctor } from './Doctor.tsx';
import { LogTail } from './LogTail.tsx';
import { SettingsCard } from './SettingsCard.tsx';

export function LogsSection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <Doctor />
      <Diagnostics />
      <LogTail />
      <SettingsCard title={t('log.keep')}>
        <SettingField path="logLevel" />
      </SettingsCard>
    </>
  );
}
