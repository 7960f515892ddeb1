import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { WeightsView } from '../../../src-preload/contract/validator.ts';
import type { LAYER_RULES } from '../../../src-preload/contract/validator-names.ts';
import { api, client } from '../../api/client.ts';
import { type Answer, useAnswer } from '../../api/use-answer.ts';
import { settingValue } from '../../state/settings.ts';
import type { LiveRun } from './run/use-run.ts';

/** By which rules results become weights. */
export interface Weighing {
  /** Undefined: the usual one. */
  preset: string | undefined;
  /** Undefined: as usual with the preset. */
  layers: (typeof LAYER_RULES)[number] | undefined;
  /** 0 to 1. */
  burn: number;
}

const HOUR_MS = 3_600_000;
const USUAL_DAYS = 30;
const LEAST_PAUSE_MS = 5_000;
/** All results are read for it: no more than a twentieth of the node’s time. */
const PAUSE_TIMES = 20;

/** The rules that are set, and of how many days results count; undefined while the settings are on their way. */
export function useSetRules(): { rules: Weighing; days: number } | undefined {
  const { data } = useAnswer(api.settings.list.queryOptions());
  if (!data) return undefined;
  const value = <T>(name: string) => settingValue<T>(data, `validator.${name}`);
  const rules = {
    preset: value<string>('preset'),
    layers: value<Weighing['layers']>('layers'),
    burn: value<number>('burn') ?? 0,
  };
  return { rules, days: value<number>('days') ?? USUAL_DAYS };
}

interface Counted {
  /** Of how many days results count. */
  days: number | undefined;
  run: Pick<LiveRun, 'state' | 'isRunning'>;
}

/**
 * What the results come to by these rules, in the tasks that are asked now: again and again while miners are asked, and once more when that ends.
 */
export function useWeights(rules: Weighing | undefined, { days = USUAL_DAYS, run }: Counted): Answer<WeightsView> {
  const took = useRef(0);
  const since = Math.max(0, Math.floor(Date.now() / HOUR_MS - 24 * days) * HOUR_MS);
  const { preset, layers, burn = 0 } = rules ?? {};
  const environments = run.state?.environments;
  const { isRunning } = run;
  const input = { since, burn, ...(preset !== undefined && { preset }), ...(layers && { layers }) };
  const weights = useAnswer({
    queryKey: api.validator.weigh.queryKey({ input }),
    queryFn: async ({ signal }) => {
      const begun = performance.now();
      const told = await client.validator.weigh(input, { signal });
      took.current = performance.now() - begun;
      return told;
    },
    enabled: rules !== undefined && environments !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: isRunning ? () => Math.max(LEAST_PAUSE_MS, PAUSE_TIMES * took.current) : false,
  });
  const { refetch } = weights;
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) void refetch();
    wasRunning.current = isRunning;
  }, [isRunning, refetch]);
  return weights;
}
