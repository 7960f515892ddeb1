import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { taskName } from '../../../../src-preload/contract/task-name.ts';
import { OUTCOMES } from '../../../../src-preload/contract/validator-names.ts';
import tableClasses from '../../../components/page/table.module.css';
import { minerName } from '../miner-name.ts';
import { type ChallengeChoice, chooseChallenges } from './challenge-choice.ts';

const SHOWN_OPTIONS = 100;

interface ChallengeFilterProps {
  choice: ChallengeChoice;
  miners: readonly string[];
  tasks: readonly string[];
  /** At the right. */
  children: ReactNode;
}

/** Narrows the challenges down by miner, task and what came of them. */
export function ChallengeFilter({ choice, miners, tasks, children }: ChallengeFilterProps) {
  const { t } = useTranslation('validator');
  const field = (name: keyof ChallengeChoice, label: string, data: { value: string; label: string }[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      value={choice[name] ?? null}
      onChange={(value) => chooseChallenges({ ...choice, [name]: value ?? undefined })}
      data={data}
      clearable
      searchable={name === 'miner'}
      limit={SHOWN_OPTIONS}
      nothingFoundMessage={t('filter.none')}
      flex="1 1 130px"
      maw={220}
    />
  );
  return (
    <div className={tableClasses.tools}>
      {field(
        'miner',
        t('filter.miner'),
        withChosen(miners, choice.miner).map((value) => ({ value, label: minerName(value).name })),
      )}
      {field(
        'environment',
        t('filter.task'),
        withChosen(tasks, choice.environment).map((value) => ({ value, label: taskName(value) })),
      )}
      {field(
        'outcome',
        t('filter.outcome'),
        OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) })),
      )}
      {children}
    </div>
  );
}

const withChosen = (all: readonly string[], chosen: string | undefined) => [
  ...new Set(chosen === undefined ? all : [...all, chosen]),
];
