import { Button } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { VersionSteps } from '../../../../src-preload/contract/learning-versions.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../learning.module.css';
import { refreshLearning } from '../use-learning.ts';
import { useOtherBase } from './use-versions.ts';
import { versionName } from './version-name.ts';

/** Which version answers now, and one click back and forth, with what that does. @param adapter undefined: the one that is set */
export function InUse({ adapter, steps }: { adapter: string | undefined; steps: VersionSteps }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const back = useMutation(api.learning.undo.mutationOptions({ onSettled: refreshLearning }));
  const on = useMutation(api.learning.redo.mutationOptions({ onSettled: refreshLearning }));
  const { current, undo, redo } = steps;
  const otherBase = useOtherBase(adapter);
  const of = adapter === undefined ? {} : { adapter };
  const names = {
    name: current && versionName(current),
    before: undo?.to && versionName(undo.to),
    after: redo && versionName(redo),
  };
  return (
    <div className={classes.inUse}>
      <div>
        <p className={classes.strong} role="status">
          {otherBase !== undefined
            ? t('inUse.otherBase', { adapter, model: otherBase })
            : current === null
              ? t('inUse.plain')
              : t('inUse.is', { ...names, time: format.time(current.at) })}
        </p>
        {undo && <p className={classes.meta}>{t(undo.to ? 'inUse.undoTo' : 'inUse.undoToPlain', names)}</p>}
        {redo && <p className={classes.meta}>{t('inUse.redoTo', names)}</p>}
      </div>
      <div className={classes.buttons}>
        <Button
          variant="default"
          disabled={!undo}
          loading={back.isPending}
          leftSection={<IconArrowBackUp size={15} stroke={1.6} aria-hidden />}
          onClick={() => back.mutate(of)}
        >
          {t('inUse.undo')}
        </Button>
        <Button
          variant="default"
          disabled={!redo}
          loading={on.isPending}
          leftSection={<IconArrowForwardUp size={15} stroke={1.6} aria-hidden />}
          onClick={() => on.mutate(of)}
        >
          {t('inUse.redo')}
        </Button>
      </div>
      <ErrorNote error={back.submittedAt > on.submittedAt ? back.error : on.error} />
    </div>
  );
}
