import { Text, UnstyledButton } from '@mantine/core';
import { useRovingIndex } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskKind } from '../../../../src-preload/contract/focus-task-kinds.ts';
import type { FocusTask } from '../../../../src-preload/contract/focus-tasks.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { SearchField } from '../../../components/page/SearchField.tsx';
import { Boost } from '../tasks/Boost.tsx';
import { KindFilter } from '../tasks/KindFilter.tsx';
import { keyOfTask, kindsIn, tasksShown } from '../tasks/shown-tasks.ts';
import { useTasks } from '../tasks/use-tasks.ts';
import { chooseTask, useDraft } from './draft.ts';
import classes from './tasks.module.css';

/** Tasks to choose from instead of typing one. */
export function TaskPicker() {
  const { t } = useTranslation('focus');
  const { data, error, refetch } = useTasks();
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState<TaskKind | 'all'>();
  const all = data?.tasks ?? [];
  const kinds = kindsIn(all);
  const kind = wanted ?? kinds[0] ?? 'suggested';
  const shown = tasksShown(all, kind === 'all' ? undefined : kind, text);
  return (
    <section className={classes.picker} aria-label={t('tasks.choose')}>
      <div className={classes.pickerHead}>
        <Text fw={600}>{t('tasks.choose')}</Text>
        <SearchField label={t('tasks.search')} value={text} onChange={setText} />
        {kinds.length > 1 && (
          <KindFilter
            kinds={kinds.map((one) => ({ kind: one, count: all.filter((task) => task.kind === one).length }))}
            value={kind}
            onChange={setWanted}
          />
        )}
      </div>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {/* Anew with what is looked for: the keyboard begins at the top again. */}
      {shown.length > 0 && <TaskList key={`${kind} ${text}`} tasks={shown} />}
      {data && shown.length === 0 && (
        <Text size="sm" c="var(--q-ink-2)" p="sm">
          {t('tasks.noMatch')}
        </Text>
      )}
    </section>
  );
}

/** One stop of the keyboard: arrows, Home and End go from task to task. */
function TaskList({ tasks }: { tasks: readonly FocusTask[] }) {
  const { t } = useTranslation('focus');
  const chosen = useDraft(({ task }) => task);
  const isChosen = (task: FocusTask) => chosen !== undefined && keyOfTask(chosen) === keyOfTask(task);
  const { getItemProps } = useRovingIndex({
    total: tasks.length,
    orientation: 'vertical',
    loop: false,
    initialIndex: Math.max(0, tasks.findIndex(isChosen)),
  });
  return (
    <div className={classes.tasks} role="listbox" aria-label={t('place.tasks')}>
      {tasks.map((task, index) => (
        <UnstyledButton
          key={keyOfTask(task)}
          className={classes.task}
          role="option"
          aria-selected={isChosen(task)}
          {...getItemProps({ index, onClick: () => chooseTask(task) })}
        >
          <span className={classes.taskTitle}>
            {task.title} <Boost multiplier={task.multiplier} />
          </span>
          <span className={classes.taskBelow}>
            {task.kind === 'own' ? t('tasks.recordedTimes', { count: task.recorded }) : task.reason || task.description}
          </span>
        </UnstyledButton>
      ))}
    </div>
  );
}
