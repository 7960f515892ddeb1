import { useTranslation } from 'react-i18next';
import { PageBody } from '../../components/page/PageBody.tsx';
import { usePlace } from '../../components/page/place.ts';
import { Section } from '../../components/Section.tsx';
import { SECTIONS } from './sections.tsx';

/** Everything that can be set, in tabs; each change is saved at once. */
export function Settings() {
  const { t } = useTranslation('settings');
  const place = usePlace('settings');
  const { Content } = SECTIONS[place];
  return (
    <PageBody>
      <Section title={t(`place.${place}`)}>
        <Content />
      </Section>
    </PageBody>
  );
}
