import { useTranslation } from 'react-i18next';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { ChosenModel } from './ChosenModel.tsx';
import { RemoteServer } from './RemoteServer.tsx';
import { SettingsCard } from './SettingsCard.tsx';

export function EngineSection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <SettingsCard title={t('engine.model')}>
        <ChosenModel />
        <SettingField path="contextSize" unit={t('unit.tokens')} />
        <SettingField path="parallel" />
      </SettingsCard>
      <SettingsCard title={t('engine.hardware')} help={t('engine.hardwareHelp')}>
        <SettingField path="gpuLayers" />
        <SettingField path="threads" />
      </SettingsCard>
      <RemoteServer />
    </>
  );
}
