import type { RecordingState } from './focus.ts';
import { type Saying, say } from './saying.ts';

/** Why a recording cannot be offered to a market as it stands; undefined for one that can. */
export function whyNotOffered(state: RecordingState): Saying | undefined {
  if (state === 'ready') return undefined;
  return say(state === 'recording' || state === 'interrupted' ? 'trade.notReady.live' : `trade.notReady.${state}`);
}
