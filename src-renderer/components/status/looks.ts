import {
  IconAlertTriangle,
  IconFlame,
  IconHourglass,
  IconPlayerPauseFilled,
  IconRefresh,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Standing } from '../../state/standing.ts';
import type { State } from '../state.ts';

/** Shape and colour of each standing; without an icon it is a dot. */
export const LOOKS: Record<Standing, { state: State; icon?: TablerIcon; dot?: 'live' | 'ring' }> = {
  connecting: { state: 'idle', icon: IconRefresh },
  client: { state: 'idle' },
  stopped: { state: 'idle' },
  starting: { state: 'wait', icon: IconHourglass },
  stopping: { state: 'wait', icon: IconHourglass },
  failed: { state: 'error', icon: IconAlertTriangle },
  paused: { state: 'pause', icon: IconPlayerPauseFilled },
  refusing: { state: 'pause', icon: IconPlayerPauseFilled },
  slowed: { state: 'pause', icon: IconFlame },
  alone: { state: 'wait', dot: 'ring' },
  ready: { state: 'wait', dot: 'ring' },
  mining: { state: 'good', dot: 'live' },
};
