import { z } from 'zod';
import { MODEL_USES } from '../../../src-preload/contract/models.ts';
import { sha256Schema } from '../../base/sha256.ts';
import { isModelName, MODEL_NAME_RULE } from '../model-name.ts';

const text = (most: number) => z.string().min(1).max(most);
const count = z.int().min(1).max(10_000_000);
const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(2_048)
  .refine((url) => !new URL(url).username && !new URL(url).password, 'must not hold a name or password');

/** What decides how much memory a model takes beside its weights, as its published configuration has it. */
const shapeSchema = z.strictObject({
  layers: count,
  /** Width of the residual stream. */
  embedding: count,
  heads: count,
  /** Heads that keep keys and values. */
  kvHeads: count,
  /** Width of one head. */
  headSize: count,
  /** Tokens in the vocabulary. */
  vocabulary: count,
});

/** One model of a catalogue file; models/README.md says what the fields mean to a person. */
const catalogueEntrySchema = z
  .strictObject({
    name: z.string().refine(isModelName, `must be ${MODEL_NAME_RULE}`),
    title: text(100),
    description: text(500),
    use: z.enum(MODEL_USES),
    /** It reads a text as a whole and writes none, as BERT does: no cache, and no logits. */
    encoder: z.boolean().optional(),
    /** Parameters, in all. */
    parameters: z.int().min(1),
    quantisation: text(20),
    /** Most tokens in one context. */
    contextLength: count,
    /** SPDX identifier, or a name such as `gemma`. */
    licence: text(50),
    /** `owner/name` at the endpoint. */
    repository: z
      .string()
      .regex(/^\w[\w.-]*\/\w[\w.-]*$/, 'must be OWNER/NAME')
      .optional(),
    /** Branch, tag or commit of the repository. */
    revision: z
      .string()
      .regex(/^\w[\w.-]{0,99}$/, 'must be a branch, tag or commit')
      .optional(),
    /** Path of the file in the repository. */
    file: z
      .string()
      .regex(/^\w[\w.-]*(\/\w[\w.-]*)*\.gguf$/, 'must be the path of a .gguf file')
      .max(500)
      .optional(),
    /** Address of the file, where it is in no repository. */
    url: address.optional(),
    /** Further addresses of the very same file. */
    mirrors: z.array(address).max(16).default([]),
    bytes: z.int().min(1).optional(),
    sha256: sha256Schema.optional(),
    /** What the chat template has: system role, thinking, tools. */
    chatTemplate: text(500),
    shape: shapeSchema.optional(),
  })
  .refine(({ repository, file, url }) => (url ? !repository && !file : repository && file), {
    error: 'must have either repository and file, or url',
    path: ['repository'],
  });

export type CatalogueEntry = z.output<typeof catalogueEntrySchema>;

export const catalogueFileSchema = z.strictObject({ models: z.array(catalogueEntrySchema).max(2_000) });
