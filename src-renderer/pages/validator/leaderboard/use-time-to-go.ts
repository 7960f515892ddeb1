import { keepPreviousData } from '@tanstack/react-query';
import type { WeighedView, WeightsView } from '../../../../src-preload/contract/validator.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import type { LiveRun } from '../run/use-run.ts';
import { missingOf, paceOf, type TimeToGo, timeToGo } from './standing.ts';

/** So far back the pace of a miner is looked at, and so often. */
const SPAN_MS = 600_000;
const AGAIN_MS = 20_000;

/** How long each miner takes, at the pace of the last minutes, until it has enough results; undefined where that is not known, or nobody is asked. */
export function useTimeToGo(
  { state, isRunning }: LiveRun,
  weights: WeightsView | undefined,
): (miner: WeighedView) => TimeToGo {
  const now = Math.floor(Date.now() / AGAIN_MS) * AGAIN_MS;
  const from = Math.max(now - SPAN_MS, state?.since ?? 0);
  const { data } = useAnswer(
    api.validator.stats.queryOptions({
      input: { since: Math.round(from) },
      enabled: isRunning,
      placeholderData: keepPreviousData,
    }),
  );
  if (!isRunning || !data || !weights) return () => undefined;
  const recent = { samples: data, spanMs: Date.now() - from };
  return (miner) => timeToGo(missingOf(miner), paceOf(miner, weights.growing, recent));
}
