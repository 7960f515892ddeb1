import { Skeleton } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DesktopState } from '../../../src-preload/contract/desktop.ts';
import { api } from '../../api/client.ts';
import { toQuarryError } from '../../api/errors.ts';
import { queryClient } from '../../api/query-client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { Note } from '../../components/Note.tsx';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { SwitchRow } from '../../components/setting-field/SwitchRow.tsx';
import { worded } from '../../i18n/worded.ts';
import { useSetting } from '../../state/settings.ts';
import { AppUpdate } from './AppUpdate.tsx';
import { FormSection } from './fields/Fields.tsx';

/** What only the desktop app has; elsewhere it says so, and shows what there would be. */
export function DesktopSection() {
  const { t } = useTranslation('settings');
  const { data: desktop, error, refetch } = useAnswer(api.desktop.state.queryOptions());
  if (error) return <ErrorNote error={error} onRetry={refetch} />;
  if (!desktop) return <Skeleton h={240} />;
  return (
    <>
      {!desktop.available && (
        <Note icon={IconInfoCircle} title={t('desktop.unavailable')}>
          {desktop.reason && worded(desktop, 'reason')} {t('desktop.unavailableHelp')}
        </Note>
      )}
      <FormSection title={t('desktop.window')}>
        <StartOnLogin desktop={desktop} />
        <DesktopSwitch path="desktop.startMinimised" available={desktop.available} />
        <DesktopSwitch path="desktop.closeToTray" available={desktop.available} />
      </FormSection>
      <FormSection title={t('desktop.notifications')}>
        <DesktopSwitch path="desktop.notifications" available={desktop.available} />
      </FormSection>
      <FormSection title={t('desktop.updates')}>
        <AppUpdate desktop={desktop} />
      </FormSection>
    </>
  );
}

interface DesktopSwitchProps {
  path: 'desktop.startMinimised' | 'desktop.closeToTray' | 'desktop.notifications';
  available: boolean;
}

/** A setting of the desktop app; only to look at where there is none. */
function DesktopSwitch({ path, available }: DesktopSwitchProps) {
  const { t } = useTranslation('settings');
  const on = useSetting<boolean>(path) ?? false;
  if (available) return <SettingField path={path} />;
  return (
    <SwitchRow disabled checked={on} readOnly label={t(`field.${path}.label`)} description={t(`field.${path}.help`)} />
  );
}

/** The system's own switch: whether the app starts when its user logs in. */
function StartOnLogin({ desktop }: { desktop: DesktopState }) {
  const { t } = useTranslation('settings');
  const set = useMutation(
    api.desktop.setStartOnLogin.mutationOptions({
      onSuccess: (state) => queryClient.setQueryData(api.desktop.state.queryKey(), state),
    }),
  );
  const impossible = desktop.available && desktop.startOnLogin === null;
  return (
    <SwitchRow
      label={t('desktop.startOnLogin')}
      description={t(impossible ? 'desktop.startOnLoginImpossible' : 'desktop.startOnLoginHelp')}
      checked={desktop.startOnLogin ?? false}
      disabled={desktop.startOnLogin === null || set.isPending}
      error={set.error && worded(toQuarryError(set.error), 'message')}
      onChange={(event) => set.mutate({ on: event.currentTarget.checked })}
    />
  );
}
