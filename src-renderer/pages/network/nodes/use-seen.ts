import { useTranslation } from 'react-i18next';
import type { FleetNode } from '../../../../src-preload/contract/fleet.ts';
import { useFormat } from '../../../i18n/format.ts';

/** When a node was there last, in words. */
export function useSeen(): (node: FleetNode) => string {
  const { t } = useTranslation('network');
  const format = useFormat();
  return ({ online, seenAt }) =>
    online ? t('mine.now') : seenAt === undefined ? t('mine.never') : format.relative(seenAt);
}
