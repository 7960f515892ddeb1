import type { RecordingState } from '../../../../src-preload/contract/focus.ts';

/** What may happen to a recording that is at its end. */
export type StateEvent =
  /** Somebody wants to know what it is worth. */
  | 'score'
  /** What came of that: good enough, not, for a person to look at, or nothing: the model was down, it was called off, the node was killed. */
  | 'passed'
  | 'failed'
  | 'doubted'
  | 'unscored'
  /** Title or description are others: what it was worth was for another task. */
  | 'taskChanged'
  /** It goes to a market; that one has it no more, or wants none of it; somebody has paid for it there. */
  | 'offer'
  | 'withdraw'
  | 'sell';

/** As OMEGA shows them to people (B12): while somebody pays for it, it is «offered». */
const TRANSITIONS: Partial<Record<RecordingState, Partial<Record<StateEvent, RecordingState>>>> = {
  draft: { score: 'scoring' },
  scoring: { passed: 'ready', failed: 'rejected', doubted: 'waiting', unscored: 'draft' },
  waiting: { score: 'scoring', taskChanged: 'draft' },
  ready: { score: 'scoring', taskChanged: 'draft', offer: 'offered' },
  rejected: { score: 'scoring', taskChanged: 'draft' },
  offered: { withdraw: 'ready', sell: 'sold' },
  sold: {},
};

/** The state that follows; undefined where this cannot happen now. */
export function nextState(state: RecordingState, event: StateEvent): RecordingState | undefined {
  return TRANSITIONS[state]?.[event];
}
