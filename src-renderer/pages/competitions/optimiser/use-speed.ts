import { useTranslation } from 'react-i18next';
import type { KernelSpeed } from '../../../../src-preload/contract/optimiser.ts';
import { useFormat } from '../../../i18n/format.ts';

/** How speeds are written. */
export function useSpeed() {
  const { t } = useTranslation('optimiser');
  const format = useFormat();
  const times = (ratio: number) => t('times', { formatted: format.number(ratio, 2) });
  const within = ({ low, high }: KernelSpeed) =>
    t('within', { low: format.number(low, 2), high: format.number(high, 2) });
  return { times, within };
}
