import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { adapterNameSchema } from './learning.ts';
import { MAX_VERSION_CHARS } from './limits.ts';

/** One version of an adapter. */
export const adapterVersionSchema = z.object({
  /** `personal-20261127-121900`, `personal-init`. */
  id: z.string(),
  /** Of the adapter. */
  name: z.string(),
  /** `personal@3` */
  number: z.int(),
  /** Id of the version that it was learnt on from; null: the model as it is. It may be deleted. */
  parent: z.string().nullable(),
  /** Unix milliseconds. */
  at: z.number(),
  /** `init`: of zeros, changes nothing. */
  origin: z.enum(['init', 'learnt', 'imported', 'fetched']),
  /** Id of the node that vouched for what was `fetched`; null for any other. */
  from: z.string().nullable(),
  rank: z.int(),
  alpha: z.number(),
  modules: z.array(z.string()),
  /** What its files take. */
  bytes: z.number(),
  /** SHA-256 of its GGUF file, 64 hex. */
  sha256: z.string(),
  /** Ids of the feedback that it learnt from, beyond its parent's. */
  feedback: z.array(z.int()),
  /** What was measured when it was accepted. */
  metrics: z.record(z.string(), z.json()).nullable(),
  /** The run that made it. */
  run: z.string().nullable(),
  /** Whether it is what its adapter's name stands for. */
  inUse: z.boolean(),
});
export type AdapterVersion = z.infer<typeof adapterVersionSchema>;

/** The same with how its sharing stands; null: it is not shared. */
export const listedVersionSchema = adapterVersionSchema.extend({
  shared: z.enum(['preparing', 'shared', 'failed']).nullable(),
});
export type ListedVersion = z.infer<typeof listedVersionSchema>;

/**
 * A version that was taken in. `model`: name of the model that it is for. `same`: another one here with the very same bytes, `personal@1`, which are shared or
 * not for both; null: there is none.
 */
export const importedVersionSchema = adapterVersionSchema.extend({ model: z.string(), same: z.string().nullable() });

/** What is in use, and where undo and redo lead from there: main goes by the same. */
export const versionStepsSchema = z.object({
  /** Null: the model as it is. */
  current: adapterVersionSchema.nullable(),
  /** Null: there is nothing to undo. `to`, null: the model as it is. */
  undo: z.object({ to: adapterVersionSchema.nullable() }).nullable(),
  /** Null: there is nothing to go on to. */
  redo: adapterVersionSchema.nullable(),
});
export type VersionSteps = z.infer<typeof versionStepsSchema>;

/** Two versions beside each other; what was measured of each is in them. */
export const versionComparisonSchema = z.object({
  one: adapterVersionSchema,
  other: adapterVersionSchema,
  /** Of each kind of matrix, over all layers: how much each version changes it, and how far apart the two are (Frobenius norms). */
  modules: z.array(z.object({ module: z.string(), one: z.number(), other: z.number(), apart: z.number() })),
});
export type VersionComparison = z.infer<typeof versionComparisonSchema>;

/** `gguf`: the file of llama.cpp. `peft`: a zip of PEFT's two. `zip`: of all three. */
export const EXPORT_FORMS = ['zip', 'peft', 'gguf'] as const;
export type ExportForm = (typeof EXPORT_FORMS)[number];

/** An adapter: a line of versions of which one is in use. */
export const adapterSchema = z.object({
  name: z.string(),
  /** The model that it belongs to: what it is called, and the SHA-256 of its file, 64 hex. */
  model: z.string(),
  base: z.string(),
  /** Id of the version that its name stands for; null: the model as it is. */
  latest: z.string().nullable(),
});
export type Adapter = z.infer<typeof adapterSchema>;

/** A version as a file. */
export const exportedVersionSchema = z.object({
  version: adapterVersionSchema,
  /** What the file is called. */
  name: z.string(),
  /** On the node’s computer: it goes away when the stream is left, after ten minutes, or when four newer ones wait. */
  path: z.string(),
  /** The same for a browser, on the node’s own address. */
  download: z.string(),
  bytes: z.number(),
});
export type ExportedVersion = z.infer<typeof exportedVersionSchema>;

/** `personal@3`, `personal@latest`, `personal-latest`, `personal`, or a version's id. */
const version = z.string().min(1).max(MAX_VERSION_CHARS);
/** Default: the adapter that is set. */
const adapter = adapterNameSchema.optional();
/** Of the library, or a path. Default: the model that the adapter belongs to; of a new one, the model that is set. */
const model = z.string().min(1).max(4_096).optional();

/** What a new adapter is like where nobody says otherwise. */
export const NEW_ADAPTER = { rank: 8, alpha: 16 } as const;

export const learningVersionsContract = {
  /** By their names. */
  adapters: oc.output(z.array(adapterSchema)),
  /** Newest first, a page at a time. None of an adapter that is not there. @param below only those of a smaller number */
  versions: oc.input(z.object({ adapter, below: z.int().min(1).optional() })).output(
    z.object({
      ...{ name: z.string(), versions: z.array(listedVersionSchema), more: z.boolean() },
      steps: versionStepsSchema,
    }),
  ),
  /** From now on the adapter's name stands for this version. @throws ADAPTER_NOT_FOUND, ADAPTER_INVALID */
  use: oc.input(z.object({ version })).output(adapterVersionSchema),
  /** From now on the adapter's name stands for the model as it is; its versions stay. Nothing happens where none is named and there is none yet. @throws ADAPTER_NOT_FOUND */
  rest: oc.input(z.object({ adapter })).output(z.void()),
  /** Back to the version before, which the one in use was learnt on from, whatever was in use meanwhile; null: to the model as it is. @throws ADAPTER_NOT_FOUND, BAD_REQUEST when there is nothing to undo */
  undo: oc.input(z.object({ adapter })).output(z.object({ version: adapterVersionSchema.nullable() })),
  /** Takes an undo back. @throws ADAPTER_NOT_FOUND, BAD_REQUEST when there is nothing after it */
  redo: oc.input(z.object({ adapter })).output(adapterVersionSchema),
  /** A new adapter of zeros, which changes nothing yet. @throws BAD_REQUEST when the name is taken, UNSUPPORTED, MODEL_NOT_FOUND */
  init: oc
    .input(
      z.object({
        adapter: adapterNameSchema,
        model,
        rank: z.int().min(1).max(256).default(NEW_ADAPTER.rank),
        alpha: z.number().positive().max(1_024).default(NEW_ADAPTER.alpha),
        modules: z.array(z.string().max(20)).min(1).max(7).optional(),
      }),
    )
    .output(adapterVersionSchema),
  /** Calls an adapter something else; its versions keep their ids. @throws ADAPTER_NOT_FOUND, BAD_REQUEST when the name is taken */
  rename: oc.input(z.object({ adapter: adapterNameSchema, name: adapterNameSchema })).output(z.void()),
  /** Deletes a version. @param evenInUse then the one before takes its place @throws ADAPTER_NOT_FOUND, BAD_REQUEST */
  remove: oc.input(z.object({ version, evenInUse: z.boolean().default(false) })).output(adapterVersionSchema),
  compare: oc.input(z.object({ one: version, other: version })).output(versionComparisonSchema),
  /** Writes a version to a file for whoever asked to take. */
  exportVersion: oc
    .input(z.object({ version, form: z.enum(EXPORT_FORMS).default('zip') }))
    .output(eventIterator(exportedVersionSchema)),
  /**
   * Takes in PEFT's folder, a zip of it, or a GGUF file. The path is absolute, on the node's computer.
   * @throws ADAPTER_INVALID, UNSUPPORTED, BAD_REQUEST, MODEL_NOT_FOUND
   */
  importVersion: oc
    .input(z.object({ path: z.string().min(1).max(4_096), adapter, model, use: z.boolean().default(false) }))
    .output(importedVersionSchema),
};
