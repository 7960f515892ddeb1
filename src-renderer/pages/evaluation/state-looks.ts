import { IconAlertTriangle, IconCheck, IconClock, IconPlayerPause } from '@tabler/icons-react';
import type { EvaluationView } from '../../../src-preload/contract/evaluation.ts';
import type { State } from '../../components/state.ts';

/** How the states of an evaluation look. */
export const STATE_LOOKS: Record<EvaluationView['state'], { state: State; icon: typeof IconCheck }> = {
  running: { state: 'wait', icon: IconClock },
  paused: { state: 'pause', icon: IconPlayerPause },
  done: { state: 'good', icon: IconCheck },
  failed: { state: 'error', icon: IconAlertTriangle },
};
