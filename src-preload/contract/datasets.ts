import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { repositoryIdSchema } from './hub.ts';
import { saidSchema } from './saying-schema.ts';
import { values } from './sayings/values.ts';

/** What rows may be: programs with what they print, programs to be written, problems with a number. */
export const DATASET_KINDS = ['abd', 'ded', 'elr'] as const;

/** What it is asked by: `elr:NAME`. */
const name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, values['value.datasetName']);
/** Of a part of a data set. */
const part = z.string().regex(/^[\w.-]{1,100}$/);

const datasetSchema = z.object({
  name: z.string(),
  kind: z.string(),
  rows: z.int(),
  /** Of the rows, as they are kept. */
  bytes: z.number(),
  /** Of all rows, 64 hex: the same for the same rows. */
  sha256: z.string(),
  /** A path, or an address. */
  source: z.string(),
  /** As the rows say, or whoever imported them; empty where nobody did. */
  licence: z.string(),
  /** Unix milliseconds. */
  importedAt: z.number(),
});
export type DatasetView = z.infer<typeof datasetSchema>;

const importInput = z.object({
  name,
  kind: z.enum(DATASET_KINDS),
  from: z.discriminatedUnion('type', [
    /** JSONL on the node's computer, perhaps packed (`.gz`). The path is absolute. Only for callers of the node's account: else UNAUTHORIZED. */
    z.object({ type: z.literal('file'), path: z.string().min(1).max(4_096) }),
    /** What a server of data sets has. */
    z.object({
      type: z.literal('server'),
      /** `owner/name` */
      dataset: repositoryIdSchema,
      config: part.default('default'),
      split: part.default('train'),
      /** Default: the setting. */
      endpoint: z
        .url({ protocol: /^https?$/ })
        .max(2_048)
        .refine((url) => !URL.parse(url)?.username && !URL.parse(url)?.password, values['value.noPassword'])
        .optional(),
    }),
  ]),
  /** Only the first rows. Default: all. */
  rows: z.int().min(1).optional(),
  /** Leaves out rows with a fault, in place of refusing them all. */
  skipBad: z.boolean().default(false),
  /** Default: what the rows say. */
  licence: z.string().max(200).optional(),
});
export type DatasetImportRequest = z.output<typeof importInput>;

const importEvent = z.discriminatedUnion('type', [
  /** How many rows are in, and how much of all that is, 0 to 1; null where nobody knows. */
  z.object({ type: z.literal('progress'), rows: z.int(), share: z.number().nullable() }),
  z.object({
    type: z.literal('done'),
    dataset: datasetSchema,
    /** Rows that were left out, and what the first of them had. */
    skipped: z.int(),
    faults: z.array(z.object({ text: z.string(), said: saidSchema })),
  }),
]);
export type DatasetImportEvent = z.infer<typeof importEvent>;

export const datasetsContract = {
  /** By their names. */
  datasets: oc.output(z.array(datasetSchema)),
  /** All of it or nothing: it takes the place of what had its name at the end. Leaving the stream gives it up. */
  importDataset: oc.input(importInput).output(eventIterator(importEvent)),
  /** @throws BAD_REQUEST where there is none of this name */
  removeDataset: oc.input(z.object({ name: z.string().min(1).max(64) })).output(z.void()),
};
