import type { SentCall } from './chain.ts';

/** Only these bring TAO in. */
const BRINGS_IN: readonly SentCall['action'][] = ['unstake'];
/** Nothing came about. */
const VOID: readonly SentCall['state'][] = ['failed', 'expired'];

/** Rao that a call has brought its account, beside the fee: less than nothing for what went out, and nothing where it did not come about. */
export function movedRao({ action, state, moves }: Pick<SentCall, 'action' | 'state' | 'moves'>): bigint {
  if (VOID.includes(state)) return 0n;
  return BRINGS_IN.includes(action) ? BigInt(moves) : -BigInt(moves);
}
