import { IconCheck, IconClockX, IconX, type TablerIcon } from '@tabler/icons-react';
import type { OUTCOMES } from '../../../../src-preload/contract/validator-names.ts';
import type { ResultView } from '../../../../src-preload/contract/validator-results.ts';
import type { State } from '../../../components/state.ts';

export type Outcome = (typeof OUTCOMES)[number];

export const OUTCOME_LOOKS: Record<Outcome, { state: State; icon: TablerIcon }> = {
  right: { state: 'good', icon: IconCheck },
  wrong: { state: 'error', icon: IconX },
  silent: { state: 'pause', icon: IconClockX },
};

export function outcomeOf({ success, score }: Pick<ResultView, 'success' | 'score'>): Outcome {
  if (!success) return 'silent';
  return score >= 1 ? 'right' : 'wrong';
}

/** How many challenges came to an end since somebody looked; the count begins anew with the run. */
export function newerThan(seen: number | undefined, ended: number): number {
  if (seen === undefined) return 0;
  return ended >= seen ? ended - seen : ended;
}
