import type { EntryFilter } from '../../../../src-preload/contract/credits.ts';

/** What a person has chosen; dates as date inputs give them: `2026-11-21`, or nothing. */
export interface LedgerChoice {
  kinds: string[];
  from: string;
  to: string;
}

export const EVERYTHING: LedgerChoice = { kinds: [], from: '', to: '' };

/** The choice as main wants it; both days are included. Undefined when it begins after it ends. */
export function toFilter({ kinds, from, to }: LedgerChoice): EntryFilter | undefined {
  const first = midnight(from, 0);
  const end = midnight(to, 1);
  if (first !== undefined && end !== undefined && first >= end) return undefined;
  return {
    ...(kinds.length > 0 && { kinds }),
    ...(first !== undefined && { from: first }),
    ...(end !== undefined && { to: end }),
  };
}

/** Midnight on this computer's clock at the beginning of a date, some days later; undefined without a date. */
function midnight(date: string, daysLater: number): number | undefined {
  const [year, month, day] = date.split('-').map(Number);
  if (!year || !month || !day) return undefined;
  return new Date(year, month - 1, day + daysLater).getTime();
}
