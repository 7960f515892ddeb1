import { Title, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePlace } from '../../components/page/place.ts';
import { Optimiser } from './optimiser/Optimiser.tsx';
import { StartForm } from './optimiser/StartForm.tsx';
import { Rounds } from './rounds/Rounds.tsx';
import { Submissions } from './submissions/Submissions.tsx';

/** Kernels that are faster than those of others. */
export function Competitions() {
  const { t } = useTranslation('competitions');
  const place = usePlace('competitions');
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {place === 'rounds' && <Rounds />}
      {place === 'submissions' && <Submissions />}
      {place === 'optimiser' && <Optimiser />}
      {place === 'new' && <StartForm />}
    </>
  );
}
