import { z } from 'zod';
import { about, section } from '../../base/setting.ts';
import type { Tier } from '../../credits/tiers.ts';
import { DEFAULT_LIMITS } from '../transport/guards/limits.ts';
import { DEFAULT_REQUESTS_PER_MINUTE } from './queue/admission.ts';

const perMinute = (tier: Tier) =>
  z
    .int()
    .min(0)
    .max(1_000_000)
    .default(DEFAULT_REQUESTS_PER_MINUTE[tier])
    .meta(about(`Requests a minute from each client of the tier ${tier}.`));

const requestsPerMinute = {
  newcomer: perMinute('newcomer'),
  bronze: perMinute('bronze'),
  silver: perMinute('silver'),
  gold: perMinute('gold'),
  platinum: perMinute('platinum'),
  diamond: perMinute('diamond'),
  master: perMinute('master'),
} satisfies Record<Tier, z.ZodType>;

const limits = {
  connections: z
    .int()
    .min(1)
    .max(100_000)
    .default(DEFAULT_LIMITS.connections)
    .meta(about('Open mesh connections, in and out together.')),
  connectionsPerHost: z
    .int()
    .min(1)
    .max(100_000)
    .default(DEFAULT_LIMITS.connectionsPerHost)
    .meta(about('Open mesh connections with one host; this computer itself is exempt.')),
  framesPerSecond: z
    .int()
    .min(10)
    .max(1_000_000)
    .default(DEFAULT_LIMITS.framesPerSecond)
    .meta(about('Messages a second from one peer.')),
  bytesPerSecond: z
    .int()
    .min(65_536)
    .max(10_000_000_000)
    .default(DEFAULT_LIMITS.bytesPerSecond)
    .meta(about('Bytes a second from one peer.')),
  queueCapacity: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(64)
    .meta(about('Requests that may wait; fewer while the computer is busy.')),
  queuedPerClient: z.int().min(1).max(1_000_000).default(3).meta(about('Of those, how many may be one client’s.')),
  refuseWhenOverloaded: z
    .boolean()
    .default(true)
    .meta(about('Whether nothing is taken while other programs need nearly all of the CPU or the memory.')),
  requestsPerMinute: z.strictObject(requestsPerMinute),
};

/** How much a node takes from others. */
export const limitSettings = section({ limits: z.strictObject(limits) });
