import { IconAlertTriangle, IconCheck, IconHourglass, IconPlayerPause, type TablerIcon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateChip } from '../../../components/StateChip.tsx';
import type { State } from '../../../components/state.ts';
import { type ListedMiner, type MinerStanding, standingOf } from './miner-list.ts';

const LOOKS: Record<MinerStanding, { state: State; icon: TablerIcon }> = {
  off: { state: 'idle', icon: IconPlayerPause },
  new: { state: 'wait', icon: IconHourglass },
  asked: { state: 'wait', icon: IconHourglass },
  answers: { state: 'good', icon: IconCheck },
  fails: { state: 'pause', icon: IconAlertTriangle },
};

export function MinerChip({ miner }: { miner: ListedMiner }) {
  const { t } = useTranslation('validator');
  const standing = standingOf(miner);
  return <StateChip {...LOOKS[standing]}>{t(`standing.${standing}`)}</StateChip>;
}
