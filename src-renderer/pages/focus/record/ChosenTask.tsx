import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FocusTask } from '../../../../src-preload/contract/focus-tasks.ts';
import { Note } from '../../../components/Note.tsx';
import { Boost } from '../tasks/Boost.tsx';
import { hasFixedWords, letGoOfTask } from './draft.ts';

/** The task that was chosen: why it is worth recording, and whether its words may be changed. */
export function ChosenTask({ task }: { task: FocusTask }) {
  const { t } = useTranslation('focus');
  return (
    <Note
      state="idle"
      title={task.reason ? t('tasks.why') : t(`tasks.from.${task.kind}`)}
      actions={
        <Button size="xs" variant="default" onClick={() => letGoOfTask({ task })}>
          {t('tasks.letGo')}
        </Button>
      }
    >
      {task.reason} <Boost multiplier={task.multiplier} />{' '}
      {hasFixedWords(task) ? t('tasks.fixedWords') : t('tasks.ownWords')}
    </Note>
  );
}
