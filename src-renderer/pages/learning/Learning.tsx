import { Title, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePlace } from '../../components/page/place.ts';
import { NotHere } from './NotHere.tsx';
import { Overview } from './overview/Overview.tsx';
import { History } from './runs/History.tsx';
import { Training } from './training/Training.tsx';
import { useLearning } from './use-learning.ts';
import { Versions } from './versions/Versions.tsx';

/** What the model of this computer learns from what people say of its answers, and the way back. */
export function Learning() {
  const { t } = useTranslation('learning');
  const place = usePlace('learning');
  const learning = useLearning();
  const isHere = learning.error?.code !== 'NOT_RUNNING' || learning.error.retryable;
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {!isHere && <NotHere error={learning.error} />}
      {isHere && place === 'overview' && <Overview learning={learning} />}
      {isHere && place === 'history' && <History />}
      {isHere && place === 'versions' && <Versions />}
      {isHere && place === 'training' && <Training />}
    </>
  );
}
