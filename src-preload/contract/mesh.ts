import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { nodeIdSchema } from './keys.ts';
import { healthSchema } from './node.ts';
import { saidSchema } from './saying-schema.ts';

/** On which side of a request a node stands, by its hello. */
export const SIDES = ['worker', 'client'] as const;
export type Side = (typeof SIDES)[number];

export const peerSchema = z.object({
  id: z.string(),
  sides: z.array(z.enum(SIDES)),
  /** Whether its role is validator, by its own word. */
  validator: z.boolean(),
  models: z.array(z.string()),
  /** Of its models those that it would have to load first, with the milliseconds that this takes by its own word. */
  toLoad: z.array(z.object({ name: z.string(), ms: z.number() })).optional(),
  /** It answers with a model and does not say by which file: nobody can hold its answers against one. */
  unverified: z.literal(true).optional(),
  /** Unknown until the peer has sent its first status. */
  health: z.number().optional(),
  /** The peer's own word for it. */
  healthState: healthSchema.shape.state.optional(),
  /** By points that others confirm: for show. */
  tier: z.string(),
  points: z.number(),
  /** Credits that it should still owe this node, by this node's own record. */
  owes: z.number(),
  /** Credits that this node owes it: by that it is served here. */
  owed: z.number(),
  /** Round trip in milliseconds; unknown until the first pong. */
  rttMs: z.number().optional(),
  queue: z.number().optional(),
  ready: z.boolean(),
});
export type PeerView = z.infer<typeof peerSchema>;

export const banSchema = z.object({ id: z.string(), reason: z.string(), expiresAt: z.number() });

/** A worker whose score was found to be false. */
export const markSchema = z.object({
  id: z.string(),
  reason: z.string(),
  detail: z.string(),
  expiresAt: z.number(),
  said: saidSchema,
});

export const peersSchema = z.object({
  self: z.string(),
  peers: z.array(peerSchema),
  bans: z.array(banSchema),
  /** The newest. */
  marks: z.array(markSchema),
  /** How many there are besides. */
  moreMarks: z.int(),
});
export type PeersView = z.infer<typeof peersSchema>;

export const NAT_KINDS = ['open', 'consistent', 'random', 'unknown'] as const;

/** How others find this node. */
export const reachabilitySchema = z.object({
  /** Other nodes of the DHT answer. */
  online: z.boolean(),
  /** What stands between this node and the network: see `quarry doctor`. */
  nat: z.enum(NAT_KINDS),
  /** The address others see; absent where it differs from one to the next, or is not known. */
  address: z.string().optional(),
  /** One sentence for a person. */
  found: z.string(),
  /** What to do about it; absent when there is nothing to do. */
  advice: z.string().optional(),
  said: saidSchema,
});
export type Reachability = z.infer<typeof reachabilitySchema>;

export const meshContract = {
  /** Connected peers of the inference network; gathers up to `waitMs`, until nobody new comes for a second. */
  peers: oc.input(z.object({ waitMs: z.int().min(0).max(60_000).default(0) })).output(peersSchema),
  /** The same without a wait, now and whenever it changes; at most once a second. */
  watchPeers: oc.output(eventIterator(peersSchema)),
  reachability: oc.output(reachabilitySchema),
  /** Ends the connection with a node and refuses it for a while. */
  ban: oc.input(z.object({ id: nodeIdSchema, hours: z.number().min(1).max(8_760).default(24) })).output(peersSchema),
  unban: oc.input(z.object({ id: nodeIdSchema })).output(peersSchema),
};
