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
  /** Its owner says that the score is wrong. */
  | 'appeal'
  /** Title or description are others: what it was worth was for another task. */
  | 'taskChanged'
  | 'offer'
  | 'withdraw'
  | 'sell';

/** As OMEGA shows them to people (B12); what it has between a purchase and its payment is the market’s own. */
const TRANSITIONS: Partial<Record<RecordingState, Partial<Record<StateEvent, RecordingState>>>> = {
  draft: { score: 'scoring', taskChanged: 'draft' },
  scoring: { passed: 'ready', failed: 'rejected', doubted: 'waiting', unscored: 'draft' },
  waiting: { score: 'scoring', passed: 'ready', failed: 'rejected', taskChanged: 'draft' },
  ready: { score: 'scoring', appeal: 'waiting', doubted: 'waiting', taskChanged: 'draft', offer: 'offered' },
  rejected: { score: 'scoring', appeal: 'waiting', taskChanged: 'draft' },
  offered: { withdraw: 'ready', sell: 'sold', doubted: 'waiting' },
  sold: {},
};

/** The state that follows; undefined where this cannot happen now. */
export function nextState(state: RecordingState, event: StateEvent): RecordingState | undefined {
  return TRANSITIONS[state]?.[event];
}
