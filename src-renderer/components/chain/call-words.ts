import { useTranslation } from 'react-i18next';
import type { SentCall } from '../../../src-preload/contract/chain.ts';
import { useFormat } from '../../i18n/format.ts';
import type { State } from '../state.ts';
import { useKeyNames } from './key-names.ts';
import { shortAddress } from './short-address.ts';

/** What colour says of a call’s state. */
export const CALL_STATE: Record<SentCall['state'], State> = {
  waiting: 'wait',
  done: 'good',
  failed: 'error',
  expired: 'idle',
  unknown: 'pause',
};

/** What people call calls of the chain. */
export function useCallWords() {
  const { t } = useTranslation('chain');
  const format = useFormat();
  const nameOf = useKeyNames();
  const who = (address: string | null) => (address === null ? '–' : (nameOf(address) ?? shortAddress(address)));
  return {
    /** «Sent 1.25 TAO to 5FHn…94ty»; «Send …» as long as it is not done, and where it failed. */
    title: ({ action, state, moves, to, netuid }: SentCall): string =>
      t(`call.${state === 'done' ? 'done' : 'wanted'}.${action}`, { amount: format.tao(moves), who: who(to), netuid }),
    /** «Payment to 5FHn…94ty»: for a list that has amount and state beside it. */
    short: ({ action, to }: SentCall): string => t(`call.short.${action}`, { who: who(to) }),
    who,
  };
}
