import { z } from 'zod';

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
  origin: z.enum(['init', 'learnt', 'imported']),
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
