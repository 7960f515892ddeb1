import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { OpenFolder } from '../../components/setting-field/OpenFolder.tsx';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { useFormat } from '../../i18n/format.ts';
import { SettingsCard } from './SettingsCard.tsx';

export function FoldersSection() {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { data: disk } = useAnswer(api.models.diskUse.queryOptions());
  return (
    <>
      <SettingsCard title={t('folders.data')} help={t('folders.dataHelp')}>
        <SettingField path="dataDir" />
        <OpenFolder folder="data" />
      </SettingsCard>
      <SettingsCard title={t('folders.models')} help={t('folders.modelsHelp')}>
        {disk && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('folders.modelsNow', { folder: disk.folder, free: format.bytes(disk.free) })}
          </Text>
        )}
        <OpenFolder folder="models" />
        <Anchor href="#/models" size="sm">
          {t('folders.move')}
        </Anchor>
        <SettingField path="models.folder" />
      </SettingsCard>
    </>
  );
}
