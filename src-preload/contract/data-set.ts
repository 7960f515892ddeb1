import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { videoRefSchema } from './data.ts';
import { sentenceSchema } from './saying-schema.ts';

/** A file of the data set: Parquet, never changed once it is whole. */
export const shardSchema = z.object({
  name: z.string(),
  kind: z.enum(['videos', 'sounds']),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  createdAt: z.number(),
  /** When it was uploaded, and where to; null while it was not. */
  uploadedAt: z.number().nullable(),
  uploadedTo: z.string().nullable(),
  /** Rows that were taken down since: it is written anew without them at the next export. */
  takenDown: z.number(),
});
export type Shard = z.infer<typeof shardSchema>;

export const dataSetSchema = z.object({
  /** Where it lies on this computer. */
  folder: z.string(),
  shards: z.array(shardSchema),
  /** Clips and sounds that are in none of them yet. */
  waiting: z.object({ videos: z.number(), sounds: z.number() }),
  /** So many wait at the least before a file is written, but for whoever flushes. */
  least: z.object({ videos: z.number(), sounds: z.number() }),
  /** Where it would be uploaded to; null where the settings say nothing. */
  destination: z.object({ endpoint: z.string(), repository: z.string(), isPrivate: z.boolean() }).nullable(),
});
export type DataSet = z.infer<typeof dataSetSchema>;

/** How far an export or an upload is. */
export const dataSetProgressSchema = z.object({
  step: z.enum(['reading', 'writing', 'looking', 'uploading', 'done']),
  /** Of the step: rows, or bytes. */
  done: z.number(),
  of: z.number().nullable(),
  /** Of what was written or uploaded, or would be. */
  files: z.array(z.object({ name: z.string(), rows: z.number().nullable(), bytes: z.number() })),
  /** Rows that are left out, by why. */
  leftOut: z.array(z.object({ why: sentenceSchema, rows: z.number() })),
  /** Where it can be looked at, once it is uploaded. */
  url: z.string().nullable(),
});
export type DataSetProgress = z.infer<typeof dataSetProgressSchema>;

export const takeDownSchema = videoRefSchema.extend({
  reason: z.string(),
  at: z.number(),
  /** Clips of it that this node has. */
  clips: z.number(),
});
export type TakeDown = z.infer<typeof takeDownSchema>;

/** The data set that clips become: files, and where they are uploaded to. */
export const dataSetContract = {
  dataSet: oc.output(dataSetSchema),
  /** @param flush also fewer rows than a file usually has */
  export: oc.input(z.object({ flush: z.boolean().default(false) })).output(eventIterator(dataSetProgressSchema)),
  /** Private unless the settings say otherwise. @param dryRun says what would be done, and does nothing of it */
  upload: oc.input(z.object({ dryRun: z.boolean().default(false) })).output(eventIterator(dataSetProgressSchema)),
  takeDowns: oc.output(z.array(takeDownSchema)),
  /** Of a video, all clips of it. */
  takeDown: oc.input(videoRefSchema.extend({ reason: z.string().trim().min(1).max(500) })).output(takeDownSchema),
  undoTakeDown: oc.input(videoRefSchema).output(z.void()),
};
