import { useTranslation } from 'react-i18next';
import { ChosenGpus } from './ChosenGpus.tsx';
import { ChosenModel } from './ChosenModel.tsx';
import { Fields, FormSection } from './Fields.tsx';
import { RemoteServer } from './RemoteServer.tsx';

export function EngineSection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <FormSection title={t('engine.model')}>
        <ChosenModel />
        <Fields of="model" />
      </FormSection>
      <FormSection title={t('engine.hardware')} help={t('engine.hardwareHelp')}>
        <ChosenGpus />
        <Fields of="hardware" />
      </FormSection>
      <RemoteServer />
    </>
  );
}
