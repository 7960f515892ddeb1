import { Box, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { worded } from '../../../i18n/worded.ts';
import classes from '../learning.module.css';
import { refreshLearning } from '../use-learning.ts';

/** Why a run was accepted, or why not, and what to do then; what it failed by. */
export function RunReasons({ run: { state, reasons, error, feedback } }: { run: LearningRunView }) {
  const { t } = useTranslation('learning');
  const rejected = feedback.filter((said) => said.state === 'rejected').map(({ id }) => id);
  return (
    <>
      {reasons.length > 0 && (
        <ul className={classes.reasons}>
          {reasons.map((reason, place) => (
            <li key={place}>{worded(reason, 'text')}</li>
          ))}
        </ul>
      )}
      {state === 'rolled-back' && <p className={classes.text}>{t('tryAgain')}</p>}
      {rejected.length > 0 && <TryAgain ids={rejected} />}
      {error && <ErrorNote error={new QuarryError(error)} />}
    </>
  );
}

/** What was tried in vain waits again, together with what else waits then. */
function TryAgain({ ids }: { ids: number[] }) {
  const { t } = useTranslation('learning');
  const retry = useMutation(api.learning.retry.mutationOptions({ onSettled: refreshLearning }));
  return (
    <Box mt={8}>
      <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate({ ids })}>
        {t('aside.again')}
      </Button>
      <ErrorNote error={retry.error} />
    </Box>
  );
}
