import { create } from 'zustand';
import type { OUTCOMES } from '../../../../src-preload/contract/validator-names.ts';

/** Which results are shown; what is undefined does not matter. */
export interface ChallengeChoice {
  miner: string | undefined;
  environment: string | undefined;
  outcome: (typeof OUTCOMES)[number] | undefined;
}

export const ALL_CHALLENGES: ChallengeChoice = { miner: undefined, environment: undefined, outcome: undefined };

/** The choice stays while somebody looks at other pages. */
export const useChallengeChoice = create<{ choice: ChallengeChoice }>(() => ({ choice: ALL_CHALLENGES }));

export function chooseChallenges(choice: ChallengeChoice): void {
  useChallengeChoice.setState({ choice });
}

/** What is shown when the list of challenges is opened next: all that this miner was asked. */
export function showChallengesOf(miner: string): void {
  chooseChallenges({ ...ALL_CHALLENGES, miner });
}
