import { IconClock, IconHandStop, IconPlayerPauseFilled, IconSchool } from '@tabler/icons-react';
import type { LearningNow, RunState } from '../../../../src-preload/contract/learning-runs.ts';
import type { State } from '../../../components/state.ts';

/** How the states of learning look. */
export const NOW_LOOKS: Record<LearningNow['state'], { state: State; icon: typeof IconClock }> = {
  waiting: { state: 'wait', icon: IconClock },
  learning: { state: 'good', icon: IconSchool },
  paused: { state: 'pause', icon: IconPlayerPauseFilled },
  held: { state: 'idle', icon: IconHandStop },
};

/** What a run goes through, in its order. */
export const PHASES = ['queued', 'sampling', 'training', 'evaluating'] as const satisfies readonly RunState[];
