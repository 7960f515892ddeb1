import { Title, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePlace } from '../../components/page/place.ts';
import { Challenges } from './challenges/Challenges.tsx';
import { Leaderboard } from './leaderboard/Leaderboard.tsx';
import { Miners } from './miners/Miners.tsx';
import { useRun } from './run/use-run.ts';
import { TryIt } from './try/TryIt.tsx';
import { Weights } from './weights/Weights.tsx';

/** A validator: who answers best and why, what was asked, whom it asks, what that comes to, and how this computer’s own model does. */
export function Validator() {
  const { t } = useTranslation('validator');
  const place = usePlace('validator');
  const run = useRun();
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {place === 'leaderboard' && <Leaderboard run={run} />}
      {place === 'challenges' && <Challenges run={run} />}
      {place === 'miners' && <Miners run={run} />}
      {place === 'weights' && <Weights run={run} />}
      {place === 'try' && <TryIt />}
    </>
  );
}
