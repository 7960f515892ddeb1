import { Button, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import classes from './playground.module.css';
import type { LocalModelWork } from './useLocalModel.ts';

/** Whether the model of this computer is in memory, and what takes it there and out again. */
export function LocalModelLine({ work: { state, mining, error, load, unload } }: { work: LocalModelWork }) {
  const { t } = useTranslation('playground');
  return (
    <>
      <div className={classes.loaded}>
        {state === 'loading' && <Loader size={12} aria-hidden />}
        <span role="status">{t(mining && state === 'loaded' ? 'local.mining' : `local.${state}`)}</span>
        {state === 'loaded' && !mining && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={unload}>
            {t('local.unload')}
          </Button>
        )}
        {state === 'unloaded' && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={load}>
            {t('local.load')}
          </Button>
        )}
      </div>
      <ErrorNote error={error} />
    </>
  );
}
