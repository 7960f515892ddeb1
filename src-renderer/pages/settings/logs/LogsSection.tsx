import { useTranslation } from 'react-i18next';
import { Fields, FormSection } from '../fields/Fields.tsx';
import { Diagnostics } from './Diagnostics.tsx';
import { Doctor } from './Doctor.tsx';
import { LogTail } from './LogTail.tsx';

export function LogsSection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <Doctor />
      <LogTail />
      <FormSection title={t('log.keep')}>
        <Fields of="log" />
      </FormSection>
      <Diagnostics />
    </>
  );
}
