import { Box, Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ErrorView } from '../../../../src-preload/contract/error-schema.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { TaskKind } from '../../../../src-preload/contract/focus-task-kinds.ts';
import { api } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { SearchField } from '../../../components/page/SearchField.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { worded } from '../../../i18n/worded.ts';
import { KindFilter } from './KindFilter.tsx';
import { keyOfTask, kindsIn, tasksShown } from './shown-tasks.ts';
import { TaskInspector } from './TaskInspector.tsx';
import { TaskTable } from './TaskTable.tsx';
import { useTasks } from './use-tasks.ts';

/** What could be recorded: boosted, suggested and one’s own, with the reason why, and a way to begin. */
export function Tasks() {
  const { t } = useTranslation('focus');
  const [text, setText] = useState('');
  const [kind, setKind] = useState<TaskKind | 'all'>('all');
  const [selected, setSelected] = useState<string>();
  const { data, error, refetch } = useTasks();
  const all = data?.tasks ?? [];
  const shown = tasksShown(all, kind === 'all' ? undefined : kind, text);
  const kinds = kindsIn(all).map((one) => ({ kind: one, count: all.filter((task) => task.kind === one).length }));
  return (
    <ListAndDetails
      title={t('tasks.one')}
      rows={shown}
      keyOf={keyOfTask}
      selected={selected}
      onSelect={setSelected}
      details={(task) => <TaskInspector key={keyOfTask(task)} task={task} />}
    >
      {(open, select) => (
        <>
          <div className={tableClasses.tools}>
            <SearchField label={t('tasks.search')} value={text} onChange={setText} />
            <KindFilter kinds={[{ kind: 'all' }, ...kinds]} value={kind} onChange={setKind} />
          </div>
          {error !== null && (
            <Box className={tableClasses.pad}>
              <ErrorNote error={error} onRetry={() => void refetch()} />
            </Box>
          )}
          {!data && error === null && <TableSkeleton rows={8} />}
          {shown.length > 0 && <TaskTable tasks={shown} selected={open} onSelect={select} />}
          <Box className={tableClasses.pad}>
            {data && shown.length === 0 && <EmptyState title={t('tasks.noMatch')} />}
            {data && data.leftOut > 0 && (
              <Text size="sm" c="var(--q-ink-2)">
                {t('tasks.leftOut', { count: data.leftOut })}
              </Text>
            )}
            {data?.marketError && (
              <ErrorNote error={new QuarryError(data.marketError)} onRetry={() => void refetch()} />
            )}
            {data?.boosted.error && <ListProblem error={data.boosted.error} />}
          </Box>
        </>
      )}
    </ListAndDetails>
  );
}

function ListProblem({ error }: { error: ErrorView }) {
  const { t } = useTranslation('focus');
  const queries = useQueryClient();
  const refresh = useMutation(
    api.focus.refreshTasks.mutationOptions({
      onSettled: () => queries.invalidateQueries({ queryKey: api.focus.tasks.key() }),
    }),
  );
  return (
    <Note
      state="pause"
      title={worded(error, 'message')}
      spaced
      actions={
        <Button size="xs" variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
          {t('tasks.tryAgain')}
        </Button>
      }
    >
      {worded(error, 'hint')}
    </Note>
  );
}
