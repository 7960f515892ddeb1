import { say } from '../../../../src-preload/contract/saying.ts';
import type { SwapQuote } from '../../chain/money.ts';
import { MAY_COME_TWICE, mayComeTwice } from './may-come-twice.ts';
import type { CallTools, Caution, PreparedCall } from './prepared-call.ts';
import { refusedByChain } from './refused.ts';

/** Parts of 10,000 that may be lost on the way before it is said, and before it has to be typed. */
const SLIPPAGE = { said: 200, typed: 500 };

/** What should be known before stake is bought, sold or moved: what it loses, and that the same may be on its way already. */
export async function stakeCaution(
  { chain, store }: Pick<CallTools, 'chain' | 'store'>,
  { action, tolerance }: { action: 'stake' | 'unstake' | 'move'; tolerance: number },
  { swap, target, netuid }: PreparedCall,
): Promise<Caution> {
  const caution = swap ? swapCaution(swap, tolerance) : { warnings: [] };
  const { network } = chain.state;
  if (!(await mayComeTwice(store, { network, action, target, netuid }))) return caution;
  return { typed: String(netuid), ...caution, warnings: [...caution.warnings, MAY_COME_TWICE] };
}

/** What is lost on the way, and what more may be lost until it is done. @param tolerance parts of 10,000 */
function swapCaution({ slippage }: SwapQuote, tolerance: number): Caution {
  const warnings = [
    ...(slippage >= SLIPPAGE.said ? [say('chainCalls.warning.slippage', { percent: slippage / 100 })] : []),
    ...(tolerance >= SLIPPAGE.said ? [say('chainCalls.warning.tolerance', { percent: tolerance / 100 })] : []),
  ];
  const worst = Math.max(slippage, tolerance);
  return { warnings, ...(worst >= SLIPPAGE.typed && { typed: `${Math.round(worst / 100)}%` }) };
}

/** What is said to be enough is a little more: the price changes meanwhile, too. Parts of 10,000. */
const TO_SPARE = 10;

/** @throws CHAIN_REFUSED with the field `tolerance` for a swap that moves the price beyond its own limit: the chain would always refuse it */
export function withinTolerance({ needs = 0 }: Pick<SwapQuote, 'needs'>, tolerance: number): void {
  if (needs <= tolerance) return;
  const enough = Math.ceil((needs * 65) / 64 / TO_SPARE) * TO_SPARE + TO_SPARE;
  throw refusedByChain(
    say('chainCalls.movesPrice', { percent: tolerance / 100 }),
    'tolerance',
    say('chainCalls.toleranceNeeded', { percent: enough / 100 }),
  );
}
