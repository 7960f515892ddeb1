import { useTranslation } from 'react-i18next';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { LearningRunView } from '../../../../src-preload/contract/learning-runs.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { worded } from '../../../i18n/worded.ts';
import classes from '../learning.module.css';

/** Why a run was accepted, or why not, and what to do then; what it failed by. */
export function RunReasons({ run: { state, reasons, error } }: { run: LearningRunView }) {
  const { t } = useTranslation('learning');
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
      {error && <ErrorNote error={new QuarryError(error)} />}
    </>
  );
}
