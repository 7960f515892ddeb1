import { expect, it } from 'vitest';
import { nextState, type StateEvent } from '../../../../../src-main/subnets/omega/focus/states.ts';
import { RECORDING_STATES } from '../../../../../src-preload/contract/focus.ts';

const EVENTS: Record<StateEvent, string> = {
  score: 'draft>scoring waiting>scoring ready>scoring rejected>scoring',
  passed: 'scoring>ready',
  failed: 'scoring>rejected',
  doubted: 'scoring>waiting',
  unscored: 'scoring>draft',
  taskChanged: 'waiting>draft ready>draft rejected>draft',
  offer: 'ready>offered',
  withdraw: 'offered>ready',
  sell: 'offered>sold',
};

it.each(Object.entries(EVENTS))('%s: each state goes where it should, or nowhere', (event, wanted) => {
  const found = RECORDING_STATES.flatMap((state) => {
    const next = nextState(state, event as StateEvent);
    return next ? [`${state}>${next}`] : [];
  });
  expect(found.join(' ')).toBe(wanted);
});

it('nothing comes of what was sold, and nothing happens to what is being recorded', () => {
  for (const event of Object.keys(EVENTS) as StateEvent[]) {
    for (const state of ['sold', 'recording', 'interrupted'] as const) expect(nextState(state, event)).toBeUndefined();
  }
});
