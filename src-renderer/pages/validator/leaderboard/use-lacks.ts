import { useTranslation } from 'react-i18next';
import type { WeighedView } from '../../../../src-preload/contract/validator.ts';
import { useFormat } from '../../../i18n/format.ts';
import { missingOf, type TimeToGo } from './standing.ts';

/** What a miner lacks to take part, and how long that takes, in a sentence or in short; undefined where it lacks nothing. */
export function useLacks(): (miner: WeighedView, timeToGo: TimeToGo, isShort?: boolean) => string | undefined {
  const { t } = useTranslation('validator');
  const format = useFormat();
  return (miner, timeToGo, isShort = false) => {
    const count = missingOf(miner);
    if (count === 0) return undefined;
    const formatted = format.number(count);
    const lacking = t('board.lacks', { count, formatted });
    if (timeToGo === 'never') return isShort ? t('board.toGoNever', { formatted }) : t('board.lacksEver', { lacking });
    const time = timeToGo === undefined ? undefined : format.duration(timeToGo);
    if (isShort) return time === undefined ? t('board.toGo', { formatted }) : t('board.toGoIn', { formatted, time });
    return time === undefined ? lacking : t('board.lacksUntil', { lacking, time });
  };
}

/** What is less than this is written as less. */
const LEAST = 0.001;

/** A weight in percent; what is more than nothing is never written as nothing. */
export function useWeightText(): (weight: number) => string {
  const { t } = useTranslation('validator');
  const format = useFormat();
  return (weight) =>
    weight > 0 && weight < LEAST ? t('board.tiny', { least: format.percent(LEAST, 1) }) : format.percent(weight, 1);
}
