import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLeave } from '../use-leave.ts';
import type { useStart } from './use-start.ts';

interface StartActionsProps {
  start: ReturnType<typeof useStart>;
  /** `asks`: a node that serves nobody. */
  state: 'asks' | 'running' | 'stopped' | 'failed';
  /** The model that was picked is not complete yet. */
  downloads: boolean;
}

/** Starts mining, or leads to the dashboard where there is nothing to start or it does not work. */
export function StartActions({ start, state, downloads }: StartActionsProps) {
  const { t } = useTranslation('welcome');
  const { leave, isLeaving } = useLeave();
  const starts = state === 'stopped' || state === 'failed';
  return (
    <>
      {state === 'failed' && (
        <Button variant="default" loading={isLeaving} onClick={leave}>
          {t('start.without')}
        </Button>
      )}
      {start.isPending || start.isArmed ? (
        <Button variant="default" onClick={start.cancel}>
          {t('start.cancel')}
        </Button>
      ) : (
        state === 'stopped' &&
        downloads && (
          <Button variant="default" onClick={start.now}>
            {t('start.withBuiltIn')}
          </Button>
        )
      )}
      <Button
        leftSection={starts && <IconPlayerPlay size={15} aria-hidden />}
        loading={start.isPending || start.isArmed || isLeaving}
        onClick={state === 'asks' ? leave : start.run}
      >
        {t(`start.action.${state}`)}
      </Button>
    </>
  );
}
