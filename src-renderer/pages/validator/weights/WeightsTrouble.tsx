import { Anchor } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Note } from '../../../components/Note.tsx';
import { worded } from '../../../i18n/worded.ts';
import type { LiveRun } from '../run/use-run.ts';
import { lackingSetting } from './lacking-setting.ts';

interface WeightsTroubleProps {
  run: LiveRun;
  /** Whether what may be lacking is chosen right below. Default: it is on the page of the weights. */
  hasFields?: boolean;
}

/** That weights are not being set, and why, or what is to be chosen first; nothing where they are, or are not to be. */
export function WeightsTrouble({ run: { state, isRunning }, hasFields = false }: WeightsTroubleProps) {
  const { t } = useTranslation('validator');
  if (!state || state.weights.way === 'off') return null;
  const { fault } = state.weights;
  const lacking = lackingSetting(state.weights);
  if (lacking && hasFields) return <Note icon={IconInfoCircle} title={t(`chain.lacking.${lacking}`)} role="status" />;
  if (!fault) return null;
  if (lacking) {
    return (
      <Note icon={IconInfoCircle} title={t('chain.trouble')} role="status">
        {worded(fault, 'text')}{' '}
        <Anchor href="#/validator/weights" inherit underline="always">
          {t('chain.toFields')}
        </Anchor>
      </Note>
    );
  }
  return (
    <Note state="pause" icon={IconAlertTriangle} title={t('chain.trouble')} role="status">
      {worded(fault, 'text')} {isRunning && t('run.goesOn')}
    </Note>
  );
}
