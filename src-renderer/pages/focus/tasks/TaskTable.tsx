import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FocusTask } from '../../../../src-preload/contract/focus-tasks.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { Boost } from './Boost.tsx';
import { keyOfTask } from './shown-tasks.ts';

interface TaskTableProps {
  tasks: readonly FocusTask[];
  /** Key of the task whose details stand beside the list. */
  selected: string | undefined;
  onSelect: (key: string) => void;
}

/** Tasks with why they are worth it, of which kind they are, and how often they were recorded. */
export function TaskTable({ tasks, selected, onSelect }: TaskTableProps) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('place.tasks')}>
        <thead>
          <tr>
            <th scope="col">{t('tasks.one')}</th>
            <th scope="col" className={classes.wide}>
              {t('tasks.kind')}
            </th>
            <th scope="col" className={classes.num}>
              {t('tasks.recorded')}
            </th>
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <PickRow
              key={keyOfTask(task)}
              name={task.title}
              below={task.reason || task.description}
              selected={keyOfTask(task) === selected}
              onSelect={() => onSelect(keyOfTask(task))}
              wide
            >
              <td className={classes.wide}>
                <Group gap={6} wrap="nowrap">
                  <span className={classes.when}>
                    {t(`tasks.kinds.${task.kind}`)}
                    {task.field && ` · ${t(`tasks.fields.${task.field}`)}`}
                  </span>
                  <Boost multiplier={task.multiplier} />
                </Group>
              </td>
              <td className={classes.num}>
                <span className={classes.slim}>
                  <Boost multiplier={task.multiplier} />{' '}
                </span>
                {format.number(task.recorded)}
              </td>
            </PickRow>
          ))}
        </tbody>
      </table>
    </div>
  );
}
