import { Skeleton } from '@mantine/core';
import { IconShieldCheck, IconShieldQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { worded } from '../../../i18n/worded.ts';
import { Fields, FormSection } from '../fields/Fields.tsx';
import { ApiToken } from './ApiToken.tsx';
import { Backup } from './Backup.tsx';
import { BrowserLink } from './BrowserLink.tsx';
import { Certificate } from './Certificate.tsx';

export function SecuritySection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <Backup />
      <BrowserLink />
      <ApiToken />
      <FormSection title={t('security.secrets')}>
        <SecretsNote />
      </FormSection>
      <FormSection title={t('security.reach')} help={t('security.reachHelp')}>
        <Fields of="reach" />
      </FormSection>
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
  return (
    <Note
      state={safe ? 'good' : 'pause'}
      icon={safe ? IconShieldCheck : IconShieldQuestion}
      title={t(safe ? 'security.protected' : 'security.unprotected')}
    >
      {worded(data.secrets, 'note')}
    </Note>
  );
}
