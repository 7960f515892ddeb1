import { useTranslation } from 'react-i18next';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { SettingsCard } from './SettingsCard.tsx';

const MEGABYTE = 1_000_000;
const GIGABYTE = 1_000_000_000;

export function NetworkSection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <SettingsCard title={t('network.bandwidth')} help={t('network.bandwidthHelp')}>
        <SettingField path="models.downloadLimit" scale={MEGABYTE} unit="MB/s" empty={t('number.noLimit')} />
        <SettingField path="sharing.uploadLimit" scale={MEGABYTE} unit="MB/s" />
      </SettingsCard>
      <SettingsCard title={t('network.files')}>
        <SettingField path="models.fromPeers" />
        <SettingField path="sharing.seed" />
        <SettingField path="sharing.diskLimit" scale={GIGABYTE} unit="GB" />
      </SettingsCard>
      <SettingsCard title={t('network.limits')} help={t('network.limitsHelp')}>
        <SettingField path="limits.queueCapacity" />
        <SettingField path="limits.queuedPerClient" />
        <SettingField path="limits.connections" />
        <SettingField path="limits.connectionsPerHost" />
      </SettingsCard>
      <SettingsCard title={t('network.mesh')} help={t('network.meshHelp')}>
        <SettingField path="mesh.name" />
        <SettingField path="mesh.secret" />
        <SettingField path="credits.rule" />
      </SettingsCard>
      <SettingsCard title={t('network.server')} help={t('network.serverHelp')}>
        <SettingField path="port" />
        <SettingField path="host" />
      </SettingsCard>
    </>
  );
}
