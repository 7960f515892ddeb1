import { useTranslation } from 'react-i18next';
import { BLOCK_MS } from '../../../src-preload/contract/block-time.ts';
import { useFormat } from '../../i18n/format.ts';

/** Spans of blocks, with what they are by the clock. */
export function useBlocks() {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const about = (count: number) => ({
    count,
    formatted: format.number(count),
    time: format.duration(Math.max(1, count) * BLOCK_MS),
  });
  return {
    /** «360 blocks, about 72 min» */
    span: (count: number) => t('blocks.span', about(count)),
    /** «12 blocks ago, about 2 min» */
    ago: (count: number) => t('blocks.ago', about(count)),
    /** «72 min» */
    time: (count: number) => about(count).time,
  };
}
