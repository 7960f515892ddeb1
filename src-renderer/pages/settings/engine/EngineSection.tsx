import { useTranslation } from 'react-i18next';
import { Fields, FormSection } from '../fields/Fields.tsx';
import { Cards } from './Cards.tsx';
import { ChosenModel } from './ChosenModel.tsx';
import { RemoteServer } from './RemoteServer.tsx';

export function EngineSection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <FormSection title={t('engine.model')}>
        <ChosenModel />
        <Fields of="model" />
      </FormSection>
      <FormSection title={t('engine.rope')} help={t('engine.ropeHelp')}>
        <Fields of="rope" />
      </FormSection>
      <FormSection title={t('engine.hardware')} help={t('engine.hardwareHelp')}>
        <Fields of="processor" />
        <Cards />
      </FormSection>
      <RemoteServer />
    </>
  );
}
