import { say } from '../../../../src-preload/contract/saying.ts';
import type { SameCall, SentCallStore } from '../../../store/bittensor/sent-calls.ts';

/** A day: so long it is said that the same is under way already. Milliseconds. */
const AGAIN_MS = 86_400_000;

/** Said of a call where {@link mayComeTwice}. */
export const MAY_COME_TWICE = say('chainCalls.warning.mayComeTwice');

/** Whether the same was sent within a day, and may still come about. */
export function mayComeTwice(store: Pick<SentCallStore, 'mayCome'>, same: SameCall): Promise<boolean> {
  return store.mayCome(same, Date.now() - AGAIN_MS);
}
