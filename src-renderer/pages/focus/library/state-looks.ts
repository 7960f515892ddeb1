import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconCoins,
  IconPencil,
  IconPlugX,
  IconPointFilled,
  IconQuestionMark,
  IconTag,
} from '@tabler/icons-react';
import type { RecordingState } from '../../../../src-preload/contract/focus.ts';
import type { State } from '../../../components/state.ts';

/** How the states of a recording look. */
export const STATE_LOOKS: Record<RecordingState, { state: State; icon: typeof IconCheck }> = {
  recording: { state: 'error', icon: IconPointFilled },
  interrupted: { state: 'pause', icon: IconPlugX },
  draft: { state: 'idle', icon: IconPencil },
  scoring: { state: 'wait', icon: IconClock },
  waiting: { state: 'wait', icon: IconQuestionMark },
  ready: { state: 'good', icon: IconCheck },
  rejected: { state: 'error', icon: IconAlertTriangle },
  offered: { state: 'good', icon: IconTag },
  sold: { state: 'earned', icon: IconCoins },
};
