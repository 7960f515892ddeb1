import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import classes from '../data.module.css';
import { ClipModelRow } from './ClipModelRow.tsx';

/** Models that can be fetched for what is missing, with their licences; and those that are here. */
export const ClipModels = memo(function ClipModels() {
  const { t } = useTranslation('data');
  const { data: models, error, refetch } = useAnswer(api.data.models.queryOptions());
  return (
    <Section title={t('model.title')} description={t('model.means')}>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      <ul className={classes.list}>
        {models?.map((model) => (
          <ClipModelRow key={model.name} model={model} />
        ))}
      </ul>
    </Section>
  );
});
