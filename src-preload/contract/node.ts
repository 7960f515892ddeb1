import { oc } from '@orpc/contract';
import { z } from 'zod';

export const ROLES = ['miner', 'client', 'validator'] as const;
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

export const healthSchema = z.object({
  /** 0–100. */
  score: z.number(),
  state: z.enum(['idle', 'light', 'moderate', 'busy', 'overloaded']),
  /** The four parts, 0–100 each. */
  parts: z.object({ cpu: z.number(), memory: z.number(), load: z.number(), queue: z.number() }),
  /** Percent of the queue that is open: 100, 80, 60, 40 or 0. */
  capacity: z.number(),
  accepting: z.boolean(),
  /** Why the node refuses work; absent while it accepts. */
  reason: z.string().optional(),
});

export const modelSchema = z.object({
  name: z.string(),
  device: z.string(),
  contextSize: z.number(),
  parallel: z.number(),
  gpuLayers: z.number().optional(),
  threads: z.number().optional(),
  /** The built-in model that is only for trying things out. */
  tiny: z.boolean(),
});

/** How long the requests of one tier waited in this worker's queue since it started, against the tier's target. */
export const tierWaitsSchema = z.object({
  tier: z.string(),
  served: z.number(),
  /** Milliseconds, as are the next two. */
  meanMs: z.number(),
  maxMs: z.number(),
  /** Absent for newcomers, who have none. */
  targetMs: z.number().optional(),
  /** Share of the requests that waited no longer than the target, 0–1; absent without a target. */
  withinTarget: z.number().optional(),
});

export const policySchema = z.object({
  mode: z.enum(['full', 'throttled', 'paused']),
  /** The rules that are met; empty at full speed. */
  reasons: z.array(z.object({ rule: z.string(), text: z.string() })),
  /** Every rule with its setting, how it stands, and one sentence for a person. */
  rules: z.array(
    z.object({
      rule: z.enum(['battery', 'user', 'gpu', 'heat', 'quiet-hours']),
      action: z.enum(['off', 'throttle', 'pause']),
      state: z.enum(['off', 'clear', 'met', 'unknown']),
      text: z.string(),
    }),
  ),
});
export type PolicyView = z.infer<typeof policySchema>;

export const statusSchema = z.object({
  id: z.string(),
  version: z.string(),
  role: roleSchema,
  mesh: z.string(),
  /** Unix milliseconds. */
  startedAt: z.number(),
  /** Address of the OpenAI API and this contract; absent when no server runs. */
  url: z.string().optional(),
  engine: z.object({
    state: z.enum(['starting', 'ready', 'restarting', 'broken', 'closed', 'none']),
    error: z.string().optional(),
    model: modelSchema.optional(),
    active: z.number(),
    waiting: z.number(),
  }),
  health: healthSchema.optional(),
  policy: policySchema.optional(),
  queue: z.object({ waiting: z.number(), active: z.number(), waits: z.array(tierWaitsSchema) }),
  peers: z.number(),
  /**
   * Milliseconds by which each connected peer's clock was ahead of ours when it greeted. The way of the greeting is in
   * it, and a peer may lie: only many of them mean something.
   */
  peerClockOffsetsMs: z.array(z.number()),
  /** Since this node started. */
  served: z.object({ requests: z.number(), tokens: z.number(), refused: z.number() }),
  credits: z.object({ available: z.number(), points: z.number(), tier: z.string() }),
});
export type NodeStatus = z.infer<typeof statusSchema>;

export const nodeContract = {
  /** What this node is and does now. */
  status: oc.output(statusSchema),
};
