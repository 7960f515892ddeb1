import type { EarningToday, Forecast } from '../../../src-preload/contract/earning.ts';
import { compareToday } from '../../credits/earning/comparison.ts';
import { midnights } from '../../credits/ledger/summary.ts';
import type { Core } from './core.ts';
import type { CreditsPart } from './credits.ts';

/** What this node earns, against what it could. */
export interface EarningPart {
  today(): Promise<EarningToday>;
  forecasts(): Promise<Forecast[]>;
}

export function openEarning({ db }: Core, { credits }: { credits: Pick<CreditsPart, 'summary'> }): EarningPart {
  return {
    async today() {
      const now = Date.now();
      const summary = await credits.summary();
      const [since = now] = midnights(now, 1);
      const { requests: answers, points } = summary.pending;
      return {
        since,
        earned: summary.earnedToday,
        waiting: { answers, points },
        reasons: [],
        ...(await compareToday(db, now, summary)),
      };
    },
    forecasts: async () => [],
  };
}
