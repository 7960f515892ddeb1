import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconDownload,
  IconEye,
  IconHourglass,
  IconMinus,
  IconMovie,
  IconPlayerStop,
  IconQuestionMark,
  IconScissors,
  IconSearch,
  IconTextCaption,
  IconZzz,
} from '@tabler/icons-react';
import type { DataState } from '../../../src-preload/contract/data.ts';
import type { DeepCheckState, JobState } from '../../../src-preload/contract/data-names.ts';
import type { State } from '../../components/state.ts';

interface Look {
  state: State;
  icon: typeof IconCheck;
}

/** How looking for clips stands. */
export const MINING_LOOKS: Record<DataState['mining'], Look> = {
  off: { state: 'idle', icon: IconPlayerStop },
  searching: { state: 'wait', icon: IconSearch },
  working: { state: 'good', icon: IconMovie },
  resting: { state: 'idle', icon: IconZzz },
  ending: { state: 'pause', icon: IconHourglass },
};

/** How far a video is. */
export const JOB_LOOKS: Record<JobState, Look> = {
  waiting: { state: 'idle', icon: IconClock },
  fetching: { state: 'wait', icon: IconDownload },
  cutting: { state: 'wait', icon: IconScissors },
  describing: { state: 'wait', icon: IconTextCaption },
  done: { state: 'good', icon: IconCheck },
  skipped: { state: 'idle', icon: IconMinus },
  failed: { state: 'error', icon: IconAlertTriangle },
};

/** What came of looking closely at a clip. */
export const CHECK_LOOKS: Record<DeepCheckState, Look> = {
  unlooked: { state: 'idle', icon: IconEye },
  right: { state: 'good', icon: IconCheck },
  lie: { state: 'error', icon: IconAlertTriangle },
  differs: { state: 'pause', icon: IconAlertTriangle },
  notFetched: { state: 'pause', icon: IconQuestionMark },
};
