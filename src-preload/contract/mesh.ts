import { oc } from '@orpc/contract';
import { z } from 'zod';

export const peerSchema = z.object({
  id: z.string(),
  roles: z.array(z.string()),
  models: z.array(z.string()),
  /** Unknown until the peer has sent its first status. */
  health: z.number().optional(),
  tier: z.string(),
  points: z.number(),
  /** Round trip in milliseconds; unknown until the first pong. */
  rttMs: z.number().optional(),
  queue: z.number().optional(),
  ready: z.boolean(),
});
export type PeerView = z.infer<typeof peerSchema>;

export const banSchema = z.object({ id: z.string(), reason: z.string(), expiresAt: z.number() });

/** A worker whose score was found to be false. */
export const markSchema = z.object({ id: z.string(), reason: z.string(), detail: z.string(), expiresAt: z.number() });

export const peersSchema = z.object({
  self: z.string(),
  peers: z.array(peerSchema),
  bans: z.array(banSchema),
  marks: z.array(markSchema),
});
export type PeersView = z.infer<typeof peersSchema>;

export const meshContract = {
  /** Connected peers of the inference network; gathers up to `waitMs`, until nobody new comes for a second. */
  peers: oc.input(z.object({ waitMs: z.int().min(0).max(60_000).default(0) })).output(peersSchema),
};
