import { z } from 'zod';
import { boxSchema, CONTAINERS, spanSchema } from '../../../src-preload/contract/focus.ts';
import {
  MAX_BOXES,
  MAX_CHUNKS,
  MAX_PARTS,
  MAX_SPANS,
  MAX_STILL_SIDE,
  MAX_STILLS,
  MAX_STILLS_BYTES,
} from '../../../src-preload/contract/focus-limits.ts';
import { failureSchema } from '../../process/failure.ts';

const path = z.string().min(1);

/** What a process that reads and writes video is told, once. What it writes is a file that is not there; its name comes later. */
export const mediaTaskSchema = z.discriminatedUnion('task', [
  /** One video of all parts, in their order: of each, so many bytes. */
  z.strictObject({
    task: z.literal('remux'),
    parts: z
      .array(z.strictObject({ path, bytes: z.int().min(0) }))
      .min(1)
      .max(MAX_PARTS + 1),
    to: path,
  }),
  /** Of a video that has a duration and cues: some spans of it, or all; without its sound; with areas covered. */
  z.strictObject({
    task: z.literal('edit'),
    from: path,
    to: path,
    spans: z.array(spanSchema).min(1).max(MAX_SPANS).nullable(),
    mute: z.boolean(),
    boxes: z.array(boxSchema).max(MAX_BOXES),
    container: z.enum(CONTAINERS),
    /** What the file says of itself; the date in Unix milliseconds. */
    tags: z.strictObject({ title: z.string(), description: z.string(), date: z.number() }).nullable(),
  }),
  /** Of a video that has a duration and cues: single pictures, as many as there are times, or spread over all of it. */
  z.strictObject({
    task: z.literal('stills'),
    from: path,
    moments: z.union([
      z.strictObject({ atMs: z.array(z.int().min(0)).min(1).max(MAX_STILLS) }),
      z.strictObject({ count: z.int().min(1).max(MAX_STILLS) }),
    ]),
    side: z.int().min(16).max(MAX_STILL_SIDE),
    exact: z.boolean(),
  }),
  /** Of the same: small pictures of all of it, in one JPEG. */
  z.strictObject({ task: z.literal('strip'), from: path, to: path }),
  /** Of a file of a stranger: whether it is a video, to its end; none that is longer is read to it. */
  z.strictObject({ task: z.literal('inspect'), from: path, mostMs: z.int().min(1) }),
  /** Of the same: how it looks in each of its first seconds. */
  z.strictObject({ task: z.literal('fingerprint'), from: path, seconds: z.int().min(1).max(MAX_CHUNKS) }),
  /** Of the same: what it shows around some moments, milliseconds from its first picture. */
  z.strictObject({
    task: z.literal('typical'),
    from: path,
    moments: z.array(z.int().min(0)).min(1).max(MAX_STILLS),
    side: z.int().min(16).max(MAX_STILL_SIDE),
  }),
]);
export type MediaTask = z.infer<typeof mediaTaskSchema>;
/** A part of a recording, and how much of its file is of it. */
export type MediaPart = Extract<MediaTask, { task: 'remux' }>['parts'][number];
/** One that makes a file. */
export type MakingTask = Extract<MediaTask, { to: string }>;
/** What comes of it. */
export type Made<Task> = Task extends { task: 'strip' } ? MadeStrip : MadeVideo;
export type StillsTask = Extract<MediaTask, { task: 'stills' }>;
export type TypicalTask = Extract<MediaTask, { task: 'typical' }>;
export type TypicalJob = Omit<TypicalTask, 'task' | 'from'>;
export type StillsJob = Omit<StillsTask, 'task' | 'from'>;
export type EditJob = Pick<Extract<MediaTask, { task: 'edit' }>, 'spans' | 'mute' | 'boxes' | 'container' | 'tags'>;

export const madeVideoSchema = z.strictObject({
  durationMs: z.number(),
  bytes: z.number(),
  hasSound: z.boolean(),
  /** What is in it of what it was made of: pictures are whole, so a span may be shorter than was asked for, never longer. */
  kept: z.array(spanSchema),
});
export type MadeVideo = z.infer<typeof madeVideoSchema>;

/** How much of the picture differs between two moments: 0 to 1. */
const sceneChangeSchema = z.strictObject({ fromMs: z.number(), atMs: z.number(), share: z.number() });
export type SceneChange = z.infer<typeof sceneChangeSchema>;

/** Small pictures in rows of so many, each so large, and when each is shown. */
export const madeStripSchema = z.strictObject({
  columns: z.int().min(1),
  width: z.int().min(1),
  height: z.int().min(1),
  times: z.array(z.number()),
  changes: z.array(sceneChangeSchema),
});
export type MadeStrip = z.infer<typeof madeStripSchema>;

/** What was found of a file that is a video. */
export const inspectedVideoSchema = z.strictObject({
  /** From its first picture to the end of its last, by the packets: what the file says of itself counts for nothing. */
  durationMs: z.number(),
  bytes: z.number(),
  hasSound: z.boolean(),
});
export type InspectedVideo = z.infer<typeof inspectedVideoSchema>;

/** Of each second 16 hex, null for one of a single shade. */
export const fingerprintSchema = z
  .array(
    z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .nullable(),
  )
  .max(MAX_CHUNKS);
export type Fingerprint = z.infer<typeof fingerprintSchema>;

/** What it says: how far it is, from 0 to 1; each picture, as base64; and in the end what came of it, null where all was said before. */
export const mediaReportSchema = z.union([
  z.strictObject({ done: z.number() }),
  z.strictObject({ still: z.strictObject({ atMs: z.number(), jpeg: z.base64().max(MAX_STILLS_BYTES) }) }),
  z.strictObject({
    result: z.union([madeVideoSchema, madeStripSchema, inspectedVideoSchema, fingerprintSchema, z.null()]),
  }),
  z.strictObject({ failed: failureSchema }),
]);
export type MediaReport = z.infer<typeof mediaReportSchema>;
export type MediaResult = Extract<MediaReport, { result: unknown }>['result'];
