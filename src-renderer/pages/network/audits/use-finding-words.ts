import { useTranslation } from 'react-i18next';
import type { AuditFindingView } from '../../../../src-preload/contract/audits.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useMean } from './use-measure.ts';

/** By what somebody is found out, as a sentence. */
export function useFindingWords(): (finding: AuditFindingView) => string {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const mean = useMean();
  return ({ measure, found, threshold, tokens }) =>
    t('finding', {
      measure: t(`measure.${measure}`),
      found: mean(measure, found),
      threshold: mean(measure, threshold),
      tokens: format.number(tokens),
    });
}
