import type { ChainDraft } from '../../../src-preload/contract/chain.ts';

interface Amount {
  rao: string;
  unit: 'TAO' | 'α';
  /** It may be less. */
  most: boolean;
}

/** What is largest in the dialog: what is moved, or where nothing is, the fee. */
export function amountOf({
  action,
  amount,
  moves,
  fee,
}: Pick<ChainDraft, 'action' | 'amount' | 'moves' | 'fee'>): Amount {
  if ((action.action === 'unstake' || action.action === 'move') && amount !== undefined) {
    return { rao: amount, unit: action.netuid === 0 ? 'TAO' : 'α', most: false };
  }
  return { rao: moves === '0' ? fee : moves, unit: 'TAO', most: action.action === 'register' };
}
