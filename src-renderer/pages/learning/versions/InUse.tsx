import { Button } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../learning.module.css';
import { refreshLearning } from '../use-learning.ts';
import { type ShownVersions, useOtherBase } from './use-versions.ts';
import { stepsFrom, versionName } from './version-steps.ts';

/** Which version answers now, and one click back and forth, with what that does. */
export function InUse({ versions: { name, data = [], latest } }: { versions: ShownVersions }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const undo = useMutation(api.learning.undo.mutationOptions({ onSettled: refreshLearning }));
  const redo = useMutation(api.learning.redo.mutationOptions({ onSettled: refreshLearning }));
  const { current, before, canUndo, canRedo } = stepsFrom(data, latest);
  const otherBase = useOtherBase(name);
  const of = name === undefined ? {} : { adapter: name };
  const names = { name: current ? versionName(current) : latest, before: before && versionName(before) };
  return (
    <div className={classes.inUse}>
      <div>
        <p className={classes.strong} role="status">
          {otherBase !== undefined
            ? t('inUse.otherBase', { adapter: name, model: otherBase })
            : latest === null
              ? t('inUse.plain')
              : t('inUse.is', { ...names, time: current ? format.time(current.at) : '' })}
        </p>
        {canUndo && (
          <p className={classes.meta}>
            {t(before ? 'inUse.undoTo' : before === null ? 'inUse.undoToPlain' : 'inUse.undoToEarlier', names)}
          </p>
        )}
        {!canUndo && canRedo && <p className={classes.meta}>{t('inUse.redoFrom')}</p>}
      </div>
      <div className={classes.buttons}>
        <Button
          variant="default"
          disabled={!canUndo}
          loading={undo.isPending}
          leftSection={<IconArrowBackUp size={15} stroke={1.6} aria-hidden />}
          onClick={() => undo.mutate(of)}
        >
          {t('inUse.undo')}
        </Button>
        <Button
          variant="default"
          disabled={!canRedo}
          loading={redo.isPending}
          leftSection={<IconArrowForwardUp size={15} stroke={1.6} aria-hidden />}
          onClick={() => redo.mutate(of)}
        >
          {t('inUse.redo')}
        </Button>
      </div>
      <ErrorNote error={undo.submittedAt > redo.submittedAt ? undo.error : redo.error} />
    </div>
  );
}
