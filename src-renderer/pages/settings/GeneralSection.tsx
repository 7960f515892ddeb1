import { Button, Text } from '@mantine/core';
import { IconConfetti } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { useNode } from '../../state/node.ts';
import { useSetSettings } from '../../state/settings.ts';
import { SettingsCard } from './SettingsCard.tsx';

export function GeneralSection() {
  const { t } = useTranslation('settings');
  const welcome = useSetSettings();
  const name = useNode(({ status }) => status?.name);
  return (
    <>
      <SettingsCard title={t('general.computer')}>
        <SettingField path="nodeName" empty={name} />
        <SettingField path="role" />
        <SettingField path="mineOnStart" />
      </SettingsCard>
      <SettingsCard title={t('general.screens')}>
        <SettingField path="language" />
        <div>
          <Button
            variant="default"
            leftSection={<IconConfetti size={16} aria-hidden />}
            loading={welcome.isPending}
            onClick={() => welcome.mutate({ changes: { showWelcome: true } }, { onSuccess: showDashboardAfterwards })}
          >
            {t('general.welcome')}
          </Button>
          <Text size="xs" c="dimmed" mt={4}>
            {t('general.welcomeHelp')}
          </Text>
        </div>
        <ErrorNote error={welcome.error} />
      </SettingsCard>
    </>
  );
}

/** The welcome leaves the address as it is, for links that come while it shows; this one was only where it was asked for. */
function showDashboardAfterwards(): void {
  location.hash = '#/';
}
