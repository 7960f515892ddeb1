import { Alert, Skeleton, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { worded } from '../../i18n/worded.ts';
import { AppUpdate } from './AppUpdate.tsx';
import { DesktopSwitch } from './DesktopSwitch.tsx';
import { SettingsCard } from './SettingsCard.tsx';
import { StartOnLogin } from './StartOnLogin.tsx';

/** What only the desktop app has; elsewhere it says so, and shows what there would be. */
export function DesktopSection() {
  const { t } = useTranslation('settings');
  const { data: desktop, error, refetch } = useAnswer(api.desktop.state.queryOptions());
  if (error) return <ErrorNote error={error} onRetry={refetch} />;
  if (!desktop) return <Skeleton h={240} />;
  return (
    <>
      {!desktop.available && (
        <Alert color="blue" icon={<IconInfoCircle aria-hidden />} title={t('desktop.unavailable')}>
          {desktop.reason && <Text size="sm">{worded(desktop, 'reason')}</Text>}
          <Text size="sm">{t('desktop.unavailableHelp')}</Text>
        </Alert>
      )}
      <SettingsCard title={t('desktop.window')}>
        <StartOnLogin desktop={desktop} />
        <DesktopSwitch path="desktop.startMinimised" available={desktop.available} />
        <DesktopSwitch path="desktop.closeToTray" available={desktop.available} />
      </SettingsCard>
      <SettingsCard title={t('desktop.notifications')}>
        <DesktopSwitch path="desktop.notifications" available={desktop.available} />
      </SettingsCard>
      <SettingsCard title={t('desktop.updates')}>
        <AppUpdate desktop={desktop} />
      </SettingsCard>
    </>
  );
}
