import { useTranslation } from 'react-i18next';
import { accuracyOf } from '../../../../src-preload/contract/evaluation-cells.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useWords } from '../use-words.ts';
import type { Spot } from './map-cells.ts';

/** A spot as it is read out: «4k tokens, middle of the text (30–70% deep): 80% right of 5 questions». */
export function useSpotWords(): (spot: Spot) => string {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  return ({ band, length, state, sum }) => {
    const where = [
      t('tokens', { length: words.length(length) }),
      band && t('map.deep', { band: words.band(band), depths: words.depths(band) }),
    ]
      .filter(Boolean)
      .join(', ');
    if (state === 'none') return t('map.notAsked', { where });
    if (state === 'noRoom') return t('map.hadNoRoom', { where });
    const share = format.percent(accuracyOf(sum) ?? 0);
    return t('map.scored', { where, share, count: sum.answered, formatted: format.number(sum.answered) });
  };
}
