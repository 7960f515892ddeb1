import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { POLICY_RULES } from './activity.ts';
import { nodeIdSchema } from './keys.ts';
import { ROLES } from './node.ts';
import { MAX_CODE_CHARS } from './pairing-code.ts';
import { NODE_STANDINGS } from './standing.ts';

/** Most nodes that one is paired with. */
export const MAX_PAIRED = 50;

const percent = z.number();

/** What a node tells those that it is paired with: how it is, and nothing with which anything could be done. */
export const nodeSummarySchema = z.object({
  name: z.string(),
  version: z.string(),
  /** `other`, here and below: what a newer version says, and this one does not know. */
  role: z.enum([...ROLES, 'other']),
  /** As on the status pill. */
  standing: z.enum([...NODE_STANDINGS, 'other']),
  /** Of a pause or a slower speed: the rule of the load policy. */
  rule: z.enum([...POLICY_RULES, 'other']).optional(),
  /** What else there is to say of it, in English: why a start failed. */
  detail: z.string().optional(),
  model: z.string().optional(),
  /** Over its last requests for the mesh. */
  tokensPerSecond: z.number().optional(),
  /** Percent in use. */
  use: z.object({ cpu: percent, memory: percent, gpu: percent.optional(), vram: percent.optional() }).optional(),
  /** The graphics card that is warmest, where one tells: degrees Celsius. */
  gpu: z.object({ name: z.string(), temperature: z.number().optional() }).optional(),
  /** Points, since midnight there, and of the last seven days there. */
  earned: z.object({ today: z.number(), week: z.number() }),
  tier: z.string(),
  /** Credits that it can spend. */
  credits: z.number(),
});
export type NodeSummary = z.infer<typeof nodeSummarySchema>;

/** This node, or one that is paired with it. */
export const fleetNodeSchema = z.object({
  id: nodeIdSchema,
  /** This node itself. */
  self: z.boolean(),
  name: z.string(),
  /** Whether it is connected now; this node is. */
  online: z.boolean(),
  /** Of one that is not connected: when it was heard last, Unix milliseconds. */
  seenAt: z.number().optional(),
  /** Unix milliseconds: since when they are paired; absent for this node. */
  since: z.number().optional(),
  /** May it start and stop mining here; as it was set here. */
  mayControlThis: z.boolean(),
  /** May this node start and stop mining there; by its own word. */
  controllable: z.boolean(),
  /** How it is, or was when it was heard last. */
  summary: nodeSummarySchema.optional(),
});
export type FleetNode = z.infer<typeof fleetNodeSchema>;

/** A code that another node may join with. */
export const pairingOfferSchema = z.object({
  /** Absent once it is no use any more. */
  code: z.string().optional(),
  /** Unix milliseconds. */
  expiresAt: z.number(),
  /** The node that has used it. */
  pairedWith: nodeIdSchema.optional(),
});
export type PairingOffer = z.infer<typeof pairingOfferSchema>;

export const fleetSchema = z.object({
  /** This node first, then the others by name. */
  nodes: z.array(fleetNodeSchema).max(MAX_PAIRED + 1),
  /** The last code that was shown here, until it is forgotten. */
  offer: pairingOfferSchema.optional(),
});
export type FleetView = z.infer<typeof fleetSchema>;

const one = z.object({ id: nodeIdSchema });

export const fleetContract = {
  list: oc.output(fleetSchema),
  /** The same, now and whenever it changes; at most once a second. */
  watch: oc.output(eventIterator(fleetSchema)),
  /**
   * Makes a code, good for ten minutes and one node; one that was there before ends. The view tells who has used it.
   * `mayControl`: whether that node may start and stop mining here.
   */
  offer: oc
    .input(z.object({ mayControl: z.boolean().default(false) }))
    .output(pairingOfferSchema.required({ code: true })),
  /** The code is no use any more. Idempotent. */
  cancelOffer: oc.output(z.void()),
  /** Finds the node that shows the code, and pairs with it; takes up to a minute. */
  join: oc
    .input(z.object({ code: z.string().max(MAX_CODE_CHARS), mayControl: z.boolean().default(false) }))
    .output(fleetNodeSchema),
  /** Ends a pairing, at both sides as soon as they hear of it. Idempotent. */
  remove: oc.input(one).output(z.void()),
  /** Whether a paired node may start and stop mining here. */
  allow: oc.input(one.extend({ mayControl: z.boolean() })).output(z.void()),
  /** Has a paired node start mining, where its owner allows that; how that goes, its summary tells. */
  startMining: oc.input(one).output(z.void()),
  stopMining: oc.input(one).output(z.void()),
};
