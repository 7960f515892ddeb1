import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { taskName } from '../../../src-preload/contract/task-name.ts';
import type { EnvironmentView } from '../../../src-preload/contract/validator.ts';
import classes from './validator.module.css';

interface TaskChoiceProps {
  label: string;
  tasks: readonly EnvironmentView[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
  error?: string | undefined;
}

/** Which tasks are asked; at least one. */
export function TaskChoice({ label, tasks, chosen, onChange, error }: TaskChoiceProps) {
  const { t } = useTranslation('validator');
  const about = t('about', { returnObjects: true }) as Record<string, string>;
  return (
    <Checkbox.Group label={label} value={chosen} onChange={onChange} error={error}>
      <div className={classes.tasks}>
        {tasks.map(({ name }) => (
          <Checkbox
            key={name}
            value={name}
            disabled={chosen.length === 1 && chosen[0] === name}
            label={taskName(name)}
            description={aboutTask(about, name)}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}

/** What is asked; undefined for what these screens do not know. One out of a data set, `elr:NAME`, asks the same. */
function aboutTask(about: Record<string, string>, name: string): string | undefined {
  const [task = name] = name.split(':');
  return Object.hasOwn(about, task) ? about[task] : undefined;
}
