import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EvaluationFit } from '../../../../src-preload/contract/evaluation.ts';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../evaluation.module.css';
import { useWords } from '../use-words.ts';
import { fittingOf } from './use-begin.ts';

/** Which lengths do not fit, or are too short for what is asked; why, and what would fit. @param isOwn of this computer's model */
export function FitNote({ fit, isOwn }: { fit: EvaluationFit; isOwn: boolean }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const left = fit.lengths.flatMap(({ length, problem }) => (problem ? [{ length, problem }] : []));
  const formatted = format.list(left.map(({ length }) => words.length(length)));
  const none = fittingOf(fit).length === 0;
  const isTooLong = left.some(({ problem }) => problem.code === 'CONTEXT_TOO_LONG');
  const title = left.length > 0 ? t('new.tooLong', { lengths: formatted }) : t('new.tooShort');
  return (
    <Note
      role="alert"
      state="pause"
      icon={IconAlertTriangle}
      title={none ? t('new.tooLongNone') : title}
      actions={
        isOwn &&
        isTooLong && (
          <Button component="a" href="#/settings/engine" size="xs" variant="default">
            {t('new.toEngine')}
          </Button>
        )
      }
    >
      <ul className={classes.reasons}>
        {left.map(({ length, problem }) => (
          <li key={length}>{[worded(problem, 'message'), worded(problem, 'hint')].filter(Boolean).join(' ')}</li>
        ))}
        {fit.tooShort.map(({ suite, problem }) => (
          <li key={suite}>{worded(problem, 'message')}</li>
        ))}
      </ul>
    </Note>
  );
}
