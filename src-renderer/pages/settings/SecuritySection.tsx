import { Skeleton, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { worded } from '../../i18n/worded.ts';
import { ApiToken } from './ApiToken.tsx';
import { BrowserLink } from './BrowserLink.tsx';
import { Certificate } from './Certificate.tsx';
import { SettingsCard } from './SettingsCard.tsx';

export function SecuritySection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <BrowserLink />
      <ApiToken />
      <SettingsCard title={t('security.secrets')}>
        <SecretsNote />
      </SettingsCard>
      <SettingsCard title={t('security.reach')} help={t('security.reachHelp')}>
        <SettingField path="publicUrl" />
      </SettingsCard>
      <Certificate />
    </>
  );
}

/** How well tokens and keys are kept on this computer. */
function SecretsNote() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useAnswer(api.desktop.state.queryOptions());
  if (error) return <ErrorNote error={error} onRetry={refetch} />;
  if (!data) return <Skeleton h={24} />;
  const { protected: safe } = data.secrets;
  const NoteIcon = safe ? IconShieldCheck : IconShieldQuestion;
  return (
    <Text size="sm">
      <NoteIcon size={18} aria-hidden style={{ verticalAlign: 'text-bottom' }} />{' '}
      <strong>{t(safe ? 'security.protected' : 'security.unprotected')}</strong> {worded(data.secrets, 'note')}
    </Text>
  );
}
