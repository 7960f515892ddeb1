import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { sha256Schema } from './keys.ts';
import { saidSchema } from './saying-schema.ts';

export const localModelSchema = z.object({
  name: z.string(),
  path: z.string(),
  bytes: z.number(),
  /** 64 hex. */
  sha256: z.string(),
  /** The built-in model that is only for trying things out. */
  tiny: z.boolean(),
  /** How it came here. One merely `found` in the folder is loaded only by name. */
  origin: z.enum(['imported', 'downloaded', 'found', 'built-in']),
  licence: z.string().optional(),
  /** The one that `start` loads. */
  selected: z.boolean(),
  /**
   * Where its bytes are: `here`, in the model folder alone; `linked`, under another name elsewhere too, so that removing the model
   * frees nothing; `outside`, where another app keeps it: it is used there, and never deleted; `built-in`.
   */
  place: z.enum(['here', 'linked', 'outside', 'built-in']),
  /** Bytes that are free once it is removed. */
  frees: z.number(),
  /** It is offered to the mesh now: in memory, or after so many milliseconds. */
  offered: z.object({ loadMs: z.number().optional() }).optional(),
});
export type LocalModel = z.infer<typeof localModelSchema>;

export const importedModelSchema = localModelSchema.extend({
  /** What was done with the file: it got a second name (a hard link), was copied, is used where it is, or was here already. */
  taken: z.enum(['linked', 'copied', 'outside', 'known']),
});
export type ImportedModel = z.infer<typeof importedModelSchema>;

export const removedModelSchema = z.object({
  /** Bytes that are free now: 0 where another name of the file stays. */
  freed: z.number(),
  /** One sentence for a person: what was deleted, and what stays. */
  message: z.string(),
  said: saidSchema,
});
export type RemovedModel = z.infer<typeof removedModelSchema>;

/** How a model would run on this machine. */
export const fitSchema = z.object({
  runs: z.enum(['gpu', 'partly', 'cpu', 'no']),
  /** Tokens of context that the estimate is for, for one request. */
  contextSize: z.number(),
  /** Requests that are decoded together then: fewer than the settings want, where more do not fit. */
  parallel: z.number(),
  /** Tokens of context that the model takes at most, its positions scaled as the settings say. */
  longest: z.number(),
  /** Estimated memory in bytes, by what needs it. */
  memory: z.object({ weights: z.number(), cache: z.number(), overhead: z.number(), total: z.number() }),
  /** Of that, what is needed where it is scarcest: on the graphics card, or in the computer's own memory where the processor does it all. */
  room: z.object({
    of: z.enum(['vram', 'ram']),
    /** What a model may have of it: what is free now, less what is left to other programs. */
    usable: z.number(),
    weights: z.number(),
    cache: z.number(),
    overhead: z.number(),
  }),
  /** Layers that fit the GPU, of all; 0 without one. */
  gpuLayers: z.number(),
  layers: z.number(),
  /** How fast an answer would come, in tokens a second; `measured` once it ran here. */
  speed: z.object({
    class: z.enum(['fast', 'comfortable', 'slow', 'painful']),
    tokensPerSecond: z.number(),
    /** Between these it will most likely be: close together once it was measured, far apart while nothing comparable was. */
    low: z.number(),
    high: z.number(),
    measured: z.boolean(),
  }),
  /** One sentence for a person. */
  reason: z.string(),
  said: saidSchema,
});
export type ModelFit = z.infer<typeof fitSchema>;

export const MODEL_USES = ['chat', 'code', 'embedding'] as const;

export const catalogueModelSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  use: z.enum(MODEL_USES),
  /** Parameters, in all. */
  parameters: z.number(),
  quantisation: z.string(),
  contextLength: z.number(),
  licence: z.string(),
  bytes: z.number().nullable(),
  /** 64 hex; null until the first download pins it. */
  sha256: z.string().nullable(),
  url: z.string(),
  chatTemplate: z.string(),
  installed: z.boolean(),
  fit: fitSchema.nullable(),
  said: saidSchema,
});
export type CatalogueModel = z.infer<typeof catalogueModelSchema>;

/** `offline`: it waits for the internet, tries by itself again and again, and goes on when the connection is back. */
export const DOWNLOAD_STATES = ['waiting', 'downloading', 'offline', 'verifying', 'paused', 'failed', 'done'] as const;

/**
 * Whose doing a download's problem is, so that a screen can offer a way out: nothing is reached at all; the server wants terms
 * accepted or a token; it does not have the file; it has trouble of its own; the drive; anything else.
 */
export const DOWNLOAD_FAULTS = ['offline', 'forbidden', 'missing', 'server', 'disk', 'other'] as const;
export type DownloadFault = (typeof DOWNLOAD_FAULTS)[number];

export const downloadSchema = z.object({
  name: z.string(),
  /** Where it is to be a version of an adapter: of which, and the SHA-256 of the file that it comes in. Absent for a model. */
  adapter: z.object({ name: z.string(), sha256: z.string() }).optional(),
  state: z.enum(DOWNLOAD_STATES),
  /** Length of the file; null until a source said it. */
  bytes: z.number().nullable(),
  received: z.number(),
  /** Over the last seconds. */
  bytesPerSecond: z.number(),
  secondsLeft: z.number().nullable(),
  /** Where bytes come from at this moment: host names, «peers». */
  sources: z.array(z.string()),
  /** What went wrong last, while it is tried again or once it failed. */
  problem: z
    .object({
      code: z.string(),
      fault: z.enum(DOWNLOAD_FAULTS),
      message: z.string(),
      hint: z.string().optional(),
      said: saidSchema,
    })
    .nullable(),
  /** Unix milliseconds: when a download that is `offline` tries again; null while it tries, and in any other state. */
  nextTryAt: z.number().nullable(),
});
export type Download = z.infer<typeof downloadSchema>;

/** Progress of a long piece of work over bytes. */
export const byteProgressSchema = z.object({ done: z.number(), total: z.number() });

export const verificationSchema = z.object({
  ok: z.boolean(),
  /** What the file has now, and what it should have; 64 hex. */
  found: z.string(),
  expected: z.string(),
});

export const diskUseSchema = z.object({
  folder: z.string(),
  /** Bytes that are free on the folder's drive. */
  free: z.number(),
  /** `sameAs`: another of them is the same file by a second name (a hard link), which takes no more room. */
  models: z.array(z.object({ name: z.string(), bytes: z.number(), sameAs: z.string().optional() })),
  /** Downloads that are not complete. */
  partial: z.array(z.object({ name: z.string(), bytes: z.number() })),
  /** Bytes of instructions that models have read, kept in the data folder. */
  prompts: z.number(),
});
export type DiskUse = z.infer<typeof diskUseSchema>;

export const sharedModelSchema = z.object({
  name: z.string(),
  sha256: z.string(),
  bytes: z.number(),
  state: z.enum(['preparing', 'shared', 'failed']),
  /** Part of the file that is prepared, 0 to 1. */
  prepared: z.number(),
  /** Nodes that are connected for it now. */
  peers: z.number(),
  /** Since the node started. */
  uploadedBytes: z.number(),
  problem: z.string().nullable(),
  said: saidSchema,
});

export const sharingSchema = z.object({
  /** Whether every model of the catalogue that is downloaded is shared. */
  seed: z.boolean(),
  /** Bytes per second, all models together; null without a cap. */
  uploadLimit: z.number().nullable(),
  /** Bytes on disk that shared files may hold; null without a cap. */
  diskLimit: z.number().nullable(),
  /** What they hold now. The built-in model is never among them. */
  diskUsed: z.number(),
  models: z.array(sharedModelSchema),
  /** Versions of adapters, each by its name: `personal@3`. */
  versions: z.array(sharedModelSchema),
});
export type Sharing = z.infer<typeof sharingSchema>;

/** A model that other nodes share. */
export const offeredModelSchema = z.object({
  name: z.string(),
  file: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  licence: z.string(),
  quantisation: z.string(),
  contextLength: z.number(),
  /** Ids of those who vouch for it. */
  signers: z.array(z.string()),
  /** One of them is on this node's list of trusted signers. */
  trusted: z.boolean(),
  /** Its SHA-256 is one of the catalogue's. */
  inCatalogue: z.boolean(),
  seeders: z.number(),
});
export type OfferedModel = z.infer<typeof offeredModelSchema>;

/** All that is known of a model of this machine, or of the catalogue. */
export const modelDetailsSchema = z.object({
  name: z.string(),
  /** What people call it, and what it is good for; of a model of the catalogue. */
  title: z.string().optional(),
  description: z.string().optional(),
  /** Where it is on this machine; null for one that is only in the catalogue. */
  file: localModelSchema
    .pick({ path: true, origin: true, selected: true, tiny: true })
    .extend({
      /** Where it was downloaded from. */
      source: z.string().optional(),
      /** Unix milliseconds: when it came. */
      since: z.number().optional(),
    })
    .nullable(),
  bytes: z.number().nullable(),
  /** 64 hex; null until the first download pins it. */
  sha256: z.string().nullable(),
  licence: z.string().optional(),
  /** Web address of the file; of a model of the catalogue. */
  url: z.string().optional(),
  /** As its file says, else the catalogue; null where neither can be read. */
  facts: z
    .object({
      architecture: z.string().optional(),
      parameters: z.number(),
      quantisation: z.string(),
      /** Tokens of context that it was trained for. */
      contextLength: z.number(),
      layers: z.number().optional(),
      /** Whether its file says how a conversation is written for it; absent where the file is not here. */
      chatTemplate: z.boolean().optional(),
      /** Made for embeddings and not for answers. */
      embeddings: z.boolean(),
    })
    .nullable(),
  fit: fitSchema.nullable(),
  said: saidSchema,
});
export type ModelDetails = z.infer<typeof modelDetailsSchema>;

/** A model that another app has on this computer. */
export const foundModelSchema = z.object({
  app: z.enum(['ollama', 'lm-studio']),
  /** As that app calls it. */
  title: z.string(),
  /** What it would be called here. */
  name: z.string(),
  path: z.string(),
  bytes: z.number(),
  quantisation: z.string().nullable(),
  parameters: z.number().nullable(),
  /** Its name in the library, where it is used already. */
  installed: z.string().nullable(),
  /** Why it cannot be used here; null where it can. */
  problem: z.string().nullable(),
  said: saidSchema,
});
export type FoundModel = z.infer<typeof foundModelSchema>;

/** A model that is in this computer's memory. */
export const loadedModelSchema = z.object({
  name: z.string(),
  /** The node's own: what it serves, and what answers where no other is named. */
  own: z.boolean(),
  /** Estimated bytes, as the catalogue's are: the engine itself tells nobody. Null where its file cannot be read any more. */
  memory: z.object({ ram: z.number(), vram: z.number() }).nullable(),
  /** `cpu`, `cuda`, `vulkan` or `metal`. */
  device: z.string(),
  /** Tokens for one request, and requests at a time. */
  contextSize: z.number(),
  parallel: z.number(),
  active: z.number(),
  waiting: z.number(),
  /** When it is freed if nobody asks it, in Unix milliseconds; null while it is used, and where it stays. */
  freesAt: z.number().nullable(),
});
export type LoadedModel = z.infer<typeof loadedModelSchema>;

const pullSchema = z.object({
  /** Of what is wanted; with `url` or `sha256`, what to call it here. A file by its SHA-256 that only strangers offer has no name of theirs. */
  name: z.string().min(1).max(100).optional(),
  /** `owner/name` at the server in `models.endpoint`. */
  repository: z.string().max(200).optional(),
  /** Of the repository: «Q4_K_M», or the path of the file. Default: what suits this computer best. */
  quantisation: z.string().min(1).max(500).optional(),
  /** Main says what is wrong with one that is no web address. */
  url: z.string().max(4_096).optional(),
  sha256: sha256Schema.optional(),
  from: z.enum(['anywhere', 'http', 'peers']).default('anywhere'),
  /** Take what peers offer although no trusted signer vouches for it. */
  trust: z.boolean().default(false),
});
export type PullRequest = z.infer<typeof pullSchema>;

/** Tokens of context that a fit is wanted for. Default: the setting. */
const contextSize = z.int().min(256).max(10_000_000);
const named = z.object({ name: z.string().min(1).max(100) });

export const modelsContract = {
  list: oc.output(z.array(localModelSchema)),
  /**
   * Checks a GGUF file and takes it into the library: a hard link where the drive allows, else a copy. Progress, then the
   * model. The path is absolute: a relative one would start from the node's own working folder.
   */
  import: oc
    .input(z.object({ path: z.string().min(1), name: z.string().max(100).optional() }))
    .output(eventIterator(z.union([byteProgressSchema, importedModelSchema]))),
  /** Models of Ollama and LM Studio on this computer, the largest first. Only headers are read. */
  found: oc.output(z.array(foundModelSchema)),
  /**
   * Takes a GGUF file into the library where it is: nothing is copied or linked, and removing the model leaves the file alone.
   * Progress (it is hashed), then the model. The path is absolute.
   */
  useInPlace: oc
    .input(z.object({ path: z.string().min(1).max(4_096), name: z.string().max(100).optional() }))
    .output(eventIterator(z.union([byteProgressSchema, importedModelSchema]))),
  /** Every model of the catalogues, with how it would run here: what runs first, chat before code before embeddings, the best of each first. */
  catalogue: oc
    .input(z.object({ contextSize: contextSize.optional() }).default({}))
    .output(z.array(catalogueModelSchema)),
  /** The models of one use that run well here, the best first. */
  recommend: oc
    .input(z.object({ use: z.enum(MODEL_USES).default('chat'), contextSize: z.int().min(256).optional() }))
    .output(z.array(catalogueModelSchema)),
  /** @throws MODEL_NOT_FOUND naming what was probably meant */
  show: oc
    .input(
      z.object({
        name: z.string().min(1).max(100),
        contextSize: contextSize.optional(),
        /** Layers on the GPU; −1 is as many as fit. */
        gpuLayers: z.int().min(-1).max(10_000).optional(),
      }),
    )
    .output(modelDetailsSchema),
  /** The models in this machine's memory, the node's own first. */
  loaded: oc.output(z.array(loadedModelSchema)),
  /** Takes one of them out of memory. @throws BAD_REQUEST for one that is mined with, or answers just now */
  free: oc.input(named).output(z.array(loadedModelSchema)),
  /**
   * Starts a download, or goes on with one: of a model of the catalogue, of a repository's quantisation, of a web address, or of a
   * file that peers share (by its SHA-256; one whose signer is not trusted only with `trust`).
   */
  pull: oc.input(pullSchema).output(downloadSchema),
  downloads: oc.output(z.array(downloadSchema)),
  /** All downloads, now and whenever one changes; at most a few times a second. */
  watchDownloads: oc.output(eventIterator(z.array(downloadSchema))),
  pause: oc.input(named).output(downloadSchema),
  resume: oc.input(named).output(downloadSchema),
  /** Does not wait for `nextTryAt`; one that is paused or has failed goes on. */
  tryNow: oc.input(named).output(downloadSchema),
  /** Ends a download and deletes what it had. */
  cancel: oc.input(named).output(z.void()),
  /** Caps all downloads together, in bytes per second; null takes the cap away. Lasts until the node ends. */
  limit: oc.input(z.object({ bytesPerSecond: z.int().min(1_000).nullable() })).output(z.void()),
  /** Hashes a model again; progress, then the finding. */
  verify: oc.input(named).output(eventIterator(z.union([byteProgressSchema, verificationSchema]))),
  /** Deletes the model; other names of its file stay. */
  remove: oc.input(named).output(removedModelSchema),
  /** Makes a model the one that mining loads; while mining, it is loaded at once. Null goes back to the newest. */
  choose: oc.input(z.object({ name: z.string().min(1).max(100).nullable() })).output(z.array(localModelSchema)),
  diskUse: oc.output(diskUseSchema),
  /** Removes the instructions that are kept on the disk: they are read once more. */
  forgetPrompts: oc.output(z.void()),
  /** Moves the model folder, to another drive perhaps. The folder is an absolute path, empty or not there yet. */
  move: oc.input(z.object({ folder: z.string().min(1) })).output(eventIterator(byteProgressSchema)),
  sharing: oc.output(sharingSchema),
  /** Offers a model of the library to others. */
  share: oc.input(named).output(sharingSchema),
  unshare: oc.input(named).output(sharingSchema),
  /** What other nodes share, as far as they are in reach now. */
  offers: oc
    .input(z.object({ waitMs: z.int().min(0).max(60_000).default(0) }).default({ waitMs: 0 }))
    .output(z.array(offeredModelSchema)),
  /** The same while it looks around: how many nodes of the models network are in reach, and what they share; ends when the wait does. */
  watchOffers: oc
    .input(z.object({ waitMs: z.int().min(0).max(60_000).default(0) }))
    .output(eventIterator(z.object({ peers: z.int(), offers: z.array(offeredModelSchema) }))),
};
