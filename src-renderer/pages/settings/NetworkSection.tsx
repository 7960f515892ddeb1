import { useTranslation } from 'react-i18next';
import { Fields, FormSection } from './fields/Fields.tsx';

const SECTIONS = ['bandwidth', 'source', 'mesh', 'server', 'limits'] as const;

export function NetworkSection() {
  const { t } = useTranslation('settings');
  return SECTIONS.map((section) => (
    <FormSection key={section} title={t(`network.${section}`)} help={t(`network.${section}Help`)}>
      <Fields of={section} />
    </FormSection>
  ));
}
