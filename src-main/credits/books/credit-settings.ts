import { z } from 'zod';
import { about, section } from '../../base/setting.ts';
import { DEFAULT_ALLOWANCE } from './allowance.ts';

const credits = {
  grant: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(DEFAULT_ALLOWANCE.grant)
    .meta(about('Credits that a newcomer gets, here and on this node’s own book. Raise it on a mesh of friends.')),
  refill: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(DEFAULT_ALLOWANCE.refill)
    .meta(about('Credits added once a day to whoever has fewer than `grant`.')),
};

/** What is given to whoever has not worked for it. */
export const creditSettings = section({ credits: z.strictObject(credits) });
