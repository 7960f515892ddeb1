import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TaskKind } from '../../../../src-preload/contract/focus-task-kinds.ts';
import { useFormat } from '../../../i18n/format.ts';

interface KindFilterProps {
  kinds: readonly { kind: TaskKind | 'all'; count?: number }[];
  value: TaskKind | 'all';
  onChange: (kind: TaskKind | 'all') => void;
}

/** Which tasks are shown, by where they come from. */
export function KindFilter({ kinds, value, onChange }: KindFilterProps) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  return (
    <SegmentedControl
      aria-label={t('tasks.kind')}
      value={value}
      onChange={(chosen) => onChange(chosen as TaskKind | 'all')}
      data={kinds.map(({ kind, count }) => ({
        value: kind,
        label: [t(`tasks.kinds.${kind}`), count !== undefined && format.number(count)].filter(Boolean).join(' '),
      }))}
    />
  );
}
