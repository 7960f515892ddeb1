import { useTranslation } from 'react-i18next';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { Section } from '../../../components/Section.tsx';
import { LearningFields } from '../LearningFields.tsx';
import { TrainerChoice } from './TrainerChoice.tsx';

const LIMITS = ['memoryMb', 'economy', 'trainForOthers'] as const;

/** Where the computing is done while the model learns, what that takes, and how much it may take. */
export function Training() {
  const { t } = useTranslation('learning');
  return (
    <PageBody>
      <Section title={t('training.title')} description={t('training.what')}>
        <TrainerChoice />
      </Section>
      <LearningFields title={t('training.limits')} names={LIMITS} />
    </PageBody>
  );
}
