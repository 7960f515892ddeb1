import { useTranslation } from 'react-i18next';
import { isTight } from '../../../../src-preload/contract/fit-room.ts';
import type { ModelFit } from '../../../../src-preload/contract/models.ts';
import { StateChip } from '../../../components/StateChip.tsx';
import { fitGroup } from '../model/fit-group.ts';

const STATES = {
  well: 'good',
  tight: 'pause',
  slow: 'pause',
  partly: 'pause',
  large: 'error',
  unknown: 'idle',
} as const;

/** How a model would run here, in a word. */
export function FitChip({ fit }: { fit: ModelFit | null }) {
  const { t } = useTranslation('models');
  const group = fitGroup(fit);
  const how = group !== 'tight' || !fit ? group : fit.runs === 'partly' ? 'partly' : isTight(fit) ? 'tight' : 'slow';
  return <StateChip state={STATES[how]}>{t(`hub.fit.${how}`)}</StateChip>;
}
