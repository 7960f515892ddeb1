import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { activityHistorySchema, HISTORY_RANGES, POLICY_RULES } from './activity.ts';
import { errorSchema } from './error-schema.ts';
import { KV_CACHE_TYPES } from './long-context.ts';
import { saidSchema } from './saying-schema.ts';

export const ROLES = ['miner', 'client', 'validator'] as const;
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

/** How much of something is in use. */
const useSchema = z.object({
  /** 0–100, as task managers show it. */
  percent: z.number(),
  /** Whether it is what this node refuses work for; of nothing while it takes some. */
  limits: z.boolean(),
});

export const REFUSALS = ['overloaded', 'queue-full', 'cpu', 'memory'] as const;
export type Refusal = (typeof REFUSALS)[number];

export const healthSchema = z.object({
  /** 0–100. */
  score: z.number(),
  state: z.enum(['idle', 'light', 'moderate', 'busy', 'overloaded']),
  /** What is in use. The processor’s share is everybody’s, Quarry’s own too; GPU and its memory only where they can be read. */
  use: z.object({
    cpu: useSchema,
    memory: useSchema,
    queue: useSchema,
    gpu: useSchema.optional(),
    vram: useSchema.optional(),
  }),
  /** The four parts of the score, 0–100 each: 100 is best. */
  parts: z.object({ cpu: z.number(), memory: z.number(), load: z.number(), queue: z.number() }),
  /** Percent of the queue that is open: 100, 80, 60, 40 or 0. */
  capacity: z.number(),
  accepting: z.boolean(),
  /** What it refuses work for: other programs, as measured (`cpu`, `memory`, or both and more: `overloaded`), or its queue. */
  refusal: z.enum(REFUSALS).optional(),
  /** Why the node refuses work, in words; absent while it accepts. */
  reason: z.string().optional(),
  said: saidSchema,
});

export const modelSchema = z.object({
  name: z.string(),
  device: z.string(),
  contextSize: z.number(),
  parallel: z.number(),
  /** What its cache keeps each value as; absent where another machine computes. */
  kvCache: z.enum(KV_CACHE_TYPES).optional(),
  /** How its positions are scaled; absent where they are as its file has them. */
  rope: z.object({ type: z.enum(['linear', 'yarn']), factor: z.number() }).optional(),
  gpuLayers: z.number().optional(),
  threads: z.number().optional(),
  /** The built-in model that is only for trying things out. */
  tiny: z.boolean(),
  /** Its own chat template knows tools; absent where that is not known. */
  tools: z.boolean().optional(),
  /** The smaller model that guesses what it says next; absent where none was asked for. */
  draft: z
    .object({
      name: z.string(),
      /** Why it guesses nothing. */
      error: z.string().optional(),
      said: saidSchema,
      /** Share of its guesses that were right lately, 0–1; absent before there were enough. */
      right: z.number().optional(),
      /** How many times as fast one answer is written with it, as estimated; 1 where it does not pay, and guesses nothing. */
      gain: z.number().optional(),
    })
    .optional(),
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
  reasons: z.array(z.object({ rule: z.string(), text: z.string(), said: saidSchema })),
  /** Every rule with its setting, how it stands, and one sentence for a person. */
  rules: z.array(
    z.object({
      rule: z.enum(POLICY_RULES),
      action: z.enum(['off', 'throttle', 'pause']),
      state: z.enum(['off', 'clear', 'met', 'unknown']),
      text: z.string(),
      said: saidSchema,
    }),
  ),
});
export type PolicyView = z.infer<typeof policySchema>;

export const MINING_STATES = ['stopped', 'starting', 'running', 'stopping'] as const;

export const miningSchema = z.object({
  state: z.enum(MINING_STATES),
  /** The model that is served, or will be when mining starts. */
  model: z.string().optional(),
  /** Why the last start failed; gone at the next one. */
  error: errorSchema.optional(),
});
export type MiningView = z.infer<typeof miningSchema>;

export const statusSchema = z.object({
  id: z.string(),
  /** What this computer is called on its own screens. */
  name: z.string(),
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
    said: saidSchema,
    model: modelSchema.optional(),
    active: z.number(),
    waiting: z.number(),
    /** How much of the model is in memory, 0–1, while it is loaded; absent where nobody tells. */
    progress: z.number().optional(),
  }),
  /** Absent on a node that serves nobody. */
  mining: miningSchema.optional(),
  health: healthSchema.optional(),
  policy: policySchema.optional(),
  queue: z.object({ waiting: z.number(), active: z.number(), waits: z.array(tierWaitsSchema) }),
  /** How fast this node served the mesh, over its last requests; absent before the first. */
  speed: z.object({ tokensPerSecond: z.number(), firstTokenMs: z.number() }).optional(),
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

/** One moment of the live charts. */
export const sampleSchema = z.object({
  /** Unix milliseconds. */
  at: z.number(),
  /** Tokens generated for the mesh in the second before. */
  tokensPerSecond: z.number(),
  /** Requests that are being answered, and those that wait. */
  active: z.number(),
  waiting: z.number(),
  /** 0–100; null where nothing is measured. */
  health: z.number().nullable(),
  peers: z.number(),
  /** Of the last request that got its first token in this time, in milliseconds; null where there was none. */
  firstTokenMs: z.number().nullable(),
});
export type Sample = z.infer<typeof sampleSchema>;

/** A figure and who gave it, or why there is none. */
const reading = <T extends z.ZodType>(value: T) =>
  z.object({ value: value.optional(), source: z.string().optional(), reason: z.string().optional(), said: saidSchema });

export const hardwareSchema = z.object({
  os: reading(z.object({ name: z.string(), arch: z.string() })),
  cpu: reading(z.object({ model: z.string(), logicalCores: z.number(), physicalCores: z.number().optional() })),
  /** Bytes, as everywhere here. */
  memory: reading(z.object({ total: z.number(), available: z.number() })),
  gpus: reading(
    z.array(
      z.object({
        name: z.string(),
        /** `cuda`, `vulkan` or `metal` when the engine can use it. */
        backend: z.string().optional(),
        vramTotal: z.number().optional(),
        vramFree: z.number().optional(),
        /** Names of the several that stand here as one, in the order of the numbers that `engine.gpus` takes; absent for one. */
        devices: z.array(z.string()).optional(),
        /** Degrees Celsius. */
        temperature: z.number().optional(),
        /** What it draws now. */
        watts: z.number().optional(),
      }),
    ),
  ).extend({
    /** What is listed as a GPU and is none, with why: programs such as llvmpipe. Absent where nothing is. */
    leftOut: z.array(z.object({ name: z.string(), reason: z.string(), said: saidSchema })).optional(),
  }),
  disk: reading(z.object({ path: z.string(), total: z.number(), free: z.number() })),
  battery: reading(z.object({ present: z.boolean(), onBattery: z.boolean(), percent: z.number().optional() })),
  temperature: reading(z.object({ cpu: z.number().optional(), gpu: z.number().optional() })),
});
export type Hardware = z.infer<typeof hardwareSchema>;

export const doctorSchema = z.object({
  healthy: z.boolean(),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['ok', 'warn', 'fail', 'skip']),
      /** One sentence for a person. */
      found: z.string(),
      advice: z.string().optional(),
      said: saidSchema,
    }),
  ),
});
export type DoctorView = z.infer<typeof doctorSchema>;

/** A graphics card, and what it does now as far as its driver or the engine tells. */
export const cardSchema = z.object({
  name: z.string(),
  /** `cuda`, `vulkan` or `metal`; absent where models cannot use it. */
  backend: z.string().optional(),
  /** 0–1: how much of the time it computes. */
  busy: z.number().optional(),
  /** Bytes. */
  vramTotal: z.number().optional(),
  vramUsed: z.number().optional(),
  /** Degrees Celsius. */
  temperature: z.number().optional(),
  /** What it draws now. */
  watts: z.number().optional(),
});
export type Card = z.infer<typeof cardSchema>;

/** Energy while mining, over some time. */
const energySpanSchema = z.object({
  wattHours: z.number(),
  /** Milliseconds that this node could serve; slowed down they count for as much less. */
  minedMs: z.number(),
  /** In `currency`, where the setting `node.costPerKwh` is set. */
  cost: z.number().optional(),
});

/** What energy mining takes, and what that costs. */
export const energySchema = z.object({
  /** `entered`: reckoned with the setting `node.watts`; `measured`: by sensors, see `of`; `none`: nobody tells, and `reason` says why. */
  basis: z.enum(['entered', 'measured', 'none']),
  /** What the sensors cover; empty where there are none. */
  of: z.array(z.enum(['gpu', 'cpu'])),
  /** Drawn now, by what the sensors cover: for everything that the computer does. */
  watts: z.number().optional(),
  /** The setting `node.watts`. */
  entered: z.number().optional(),
  /** Since midnight, and over the last seven days, today included; absent without a basis. */
  today: energySpanSchema.optional(),
  week: energySpanSchema.optional(),
  /** ISO 4217. */
  currency: z.string().optional(),
  reason: z.string().optional(),
  said: saidSchema,
});
export type Energy = z.infer<typeof energySchema>;

/** A link that lets a browser in, once. */
export const entrySchema = z.object({
  url: z.string(),
  /** Unix milliseconds. */
  expiresAt: z.number(),
});

export const nodeContract = {
  /** What this node is and does now. */
  status: oc.output(statusSchema),
  /** The same, now and whenever it changes; at most once a second. */
  watch: oc.output(eventIterator(statusSchema)),
  /** The last 15 minutes, a sample a second, then each new one. */
  watchSamples: oc.output(eventIterator(z.array(sampleSchema))),
  /** What the node did over some time, kept across restarts: a chart's points, when it was not at full speed, and what was paid. */
  history: oc
    .input(z.object({ range: z.enum(HISTORY_RANGES).default('24h') }).default({ range: '24h' }))
    .output(activityHistorySchema),
  hardware: oc.output(hardwareSchema),
  /** The graphics cards with what each does now; cheap, looked at anew every ten seconds. Empty where there is none. */
  cards: oc.output(z.array(cardSchema)),
  /** What energy mining takes, and what it costs; cheap, looked at anew every ten seconds. */
  energy: oc.output(energySchema),
  /** Makes a link that opens the screens in a browser, logged in. */
  entry: oc.output(entrySchema),
  /** Examines this machine; takes up to ten seconds. */
  doctor: oc.output(doctorSchema),
  /** Loads the model and serves the mesh. Resolves when the first request can be served. */
  startMining: oc.output(miningSchema),
  /** Ends what runs, tells the mesh, and frees the model's memory. */
  stopMining: oc.output(miningSchema),
  /** Closes the node and opens it with the settings of now; connections end and may come back. */
  restart: oc.output(z.void()),
  /**
   * Ends the node and the program that it runs in, the desktop app too, as soon as the caller was answered.
   * @throws NOT_RUNNING on a node that only runs for something else, as that of a demonstration
   */
  stop: oc.output(z.void()),
  /** Everything a helper needs to find a fault, as one JSON text without secrets. */
  diagnostics: oc.output(z.object({ fileName: z.string(), text: z.string() })),
  /** The end of the log, then each new line; JSON, as in the log file. */
  watchLog: oc.output(eventIterator(z.array(z.string()))),
};
