import type { RecordingState } from './focus.ts';
import { type Saying, type SayingKey, say } from './saying.ts';

const WHY = {
  recording: 'trade.notReady.live',
  interrupted: 'trade.notReady.live',
  draft: 'trade.notReady.draft',
  scoring: 'trade.notReady.scoring',
  waiting: 'trade.notReady.waiting',
  rejected: 'trade.notReady.rejected',
  offered: 'trade.notReady.offered',
  sold: 'trade.notReady.sold',
} as const satisfies Record<Exclude<RecordingState, 'ready'>, SayingKey>;

/** Why a recording cannot be offered to a market as it stands; undefined for one that can. */
export function whyNotOffered(state: RecordingState): Saying | undefined {
  return state === 'ready' ? undefined : say(WHY[state]);
}
