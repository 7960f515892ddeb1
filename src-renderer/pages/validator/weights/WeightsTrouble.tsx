import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Note } from '../../../components/Note.tsx';
import { worded } from '../../../i18n/worded.ts';
import type { LiveRun } from '../run/use-run.ts';

/** That weights are not being set, and why; nothing where they are, or are not to be. */
export function WeightsTrouble({ run: { state, isRunning } }: { run: LiveRun }) {
  const { t } = useTranslation('validator');
  if (!state?.weights.fault || state.weights.way === 'off') return null;
  return (
    <Note state="pause" icon={IconAlertTriangle} title={t('chain.trouble')} role="status">
      {worded(state.weights.fault, 'text')} {isRunning && t('run.goesOn')}
    </Note>
  );
}
