import { IconAlertTriangle, IconArrowBackUp, IconBan, IconCheck, IconClock, IconSchool } from '@tabler/icons-react';
import type { RunState } from '../../../../src-preload/contract/learning-runs.ts';
import type { State } from '../../../components/state.ts';

/** How the states of a run look. */
export const RUN_LOOKS: Record<RunState, { state: State; icon: typeof IconCheck }> = {
  queued: { state: 'wait', icon: IconClock },
  sampling: { state: 'wait', icon: IconSchool },
  training: { state: 'wait', icon: IconSchool },
  evaluating: { state: 'wait', icon: IconSchool },
  accepted: { state: 'good', icon: IconCheck },
  'rolled-back': { state: 'pause', icon: IconArrowBackUp },
  failed: { state: 'error', icon: IconAlertTriangle },
  cancelled: { state: 'idle', icon: IconBan },
};
