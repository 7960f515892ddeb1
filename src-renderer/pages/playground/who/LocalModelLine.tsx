import { Anchor, Button, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useNode } from '../../../state/node.ts';
import { useSetting } from '../../../state/settings.ts';
import classes from '../playground.module.css';
import type { LocalModelWork } from './useLocalModel.ts';

/** Whether the model of this computer is in memory, and what takes it there and out again. */
export function LocalModelLine({ work: { state, mining, progress, error, load, unload } }: { work: LocalModelWork }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  return (
    <>
      <div className={classes.loaded}>
        {state === 'loading' && <Loader size={12} aria-hidden />}
        <span role="status">{t(mining && state === 'loaded' ? 'local.mining' : `local.${state}`)}</span>
        {state === 'loading' && progress !== undefined && <span className="num">{format.percent(progress)}</span>}
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
      <ContextLine />
      <ErrorNote error={error} />
    </>
  );
}

/** How long a conversation the model can read, of the loaded one or as it is set. */
function ContextLine() {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const loaded = useNode(({ status }) => status?.engine.model?.contextSize);
  const set = useSetting<number>('contextSize');
  const tokens = loaded ?? set;
  return (
    <div className={classes.context}>
      <Anchor href="#/settings/engine" inherit c="inherit" underline="always" title={t('local.changeContext')}>
        {tokens === undefined ? t('local.contextOpen') : t('local.context', { formatted: format.number(tokens) })}
      </Anchor>
    </div>
  );
}
