import type { AuditMeasureName } from '../../../../src-preload/contract/audits.ts';
import { useFormat } from '../../../i18n/format.ts';

/** How a mean of a measure is written: log-probabilities apart in nats, tokens chosen otherwise as a share. */
export function useMean(): (measure: AuditMeasureName, mean: number) => string {
  const format = useFormat();
  return (measure, mean) => (measure === 'mismatches' ? format.percent(mean, 1) : format.short(mean, 3));
}
