import { IconAlertTriangle, IconCheck, IconClock, IconPlayerStop } from '@tabler/icons-react';
import type { OptimiserRun } from '../../../../src-preload/contract/optimiser.ts';
import type { State } from '../../../components/state.ts';

/** How the states of a search look. */
export const RUN_LOOKS: Record<OptimiserRun['state'], { state: State; icon: typeof IconCheck }> = {
  running: { state: 'wait', icon: IconClock },
  stopped: { state: 'pause', icon: IconPlayerStop },
  done: { state: 'good', icon: IconCheck },
  failed: { state: 'error', icon: IconAlertTriangle },
};
