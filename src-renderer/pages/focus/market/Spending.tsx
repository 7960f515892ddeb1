import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TradeState } from '../../../../src-preload/contract/trade.ts';
import { useFormat } from '../../../i18n/format.ts';

/** What of the limit of a day is spent; that nothing may be bought, where none is set. */
export function Spending({ state: { market, cap, spent } }: { state: TradeState }) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  if (!market) return null;
  const amounts = { spent: format.taoExact(spent), cap: format.taoExact(cap) };
  const isSpent = cap !== '0' && BigInt(spent) >= BigInt(cap);
  return (
    <Text size="sm" c={isSpent ? 'var(--q-pause)' : 'var(--q-ink-2)'} mt={8}>
      {t(cap === '0' ? 'spending.none' : isSpent ? 'spending.over' : 'spending.some', amounts)}
    </Text>
  );
}
