import { List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/Section.tsx';

/** What audits cannot see (docs/security.md, docs/audits.md). */
export function NotFound() {
  const { t } = useTranslation('audits');
  return (
    <Section title={t('limits.title')} description={t('limits.what')}>
      <List size="sm" spacing={4} maw={640} c="var(--q-ink-2)">
        {(t('limits.list', { returnObjects: true }) as string[]).map((each) => (
          <List.Item key={each}>{each}</List.Item>
        ))}
      </List>
    </Section>
  );
}
