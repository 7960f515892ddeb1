import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RecordingState } from '../../../../src-preload/contract/focus.ts';
import { STATE_LOOKS } from './state-looks.ts';

const STATES = Object.keys(STATE_LOOKS) as RecordingState[];

interface StateFilterProps {
  /** Undefined for all. */
  value: RecordingState | undefined;
  onChange: (state: RecordingState | undefined) => void;
}

/** Narrows recordings down to those that stand in one way. */
export function StateFilter({ value, onChange }: StateFilterProps) {
  const { t } = useTranslation('focus');
  const states = STATES.map((state) => ({ value: state, label: t(`state.${state}`) }));
  return (
    <NativeSelect
      aria-label={t('state.title')}
      data={[{ value: '', label: t('state.all') }, ...states]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(STATES.find((state) => state === currentTarget.value))}
    />
  );
}
