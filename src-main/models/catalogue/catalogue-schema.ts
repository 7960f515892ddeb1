import { z } from 'zod';
import { sha256Schema } from '../../../src-preload/contract/keys.ts';
import { MODEL_USES } from '../../../src-preload/contract/models.ts';
import { faultText } from '../../base/value-fault.ts';
import { isModelName, isReservedName } from '../model-name.ts';

const text = (most: number) => z.string().min(1).max(most);
const count = z.int().min(1).max(10_000_000);
const address = z
  .url({ protocol: /^https?$/, error: faultText('value.webAddress') })
  .max(2_048)
  .refine((url) => !URL.parse(url)?.username && !URL.parse(url)?.password, faultText('value.noPassword'));

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
    name: z
      .string()
      .refine((name) => isModelName(name) || isReservedName(name), faultText('value.modelName'))
      .refine((name) => !isReservedName(name), faultText('value.reservedName')),
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
      .regex(/^\w[\w.-]*\/\w[\w.-]*$/, faultText('value.repository'))
      .optional(),
    /** Branch, tag or commit of the repository. */
    revision: z
      .string()
      .regex(/^\w[\w.-]{0,99}$/, faultText('value.revision'))
      .optional(),
    /** Path of the file in the repository. */
    file: z
      .string()
      .regex(/^\w[\w.-]*(\/\w[\w.-]*)*\.gguf$/, faultText('value.ggufFile'))
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
    error: faultText('value.onePlace'),
    path: ['repository'],
  });

export type CatalogueEntry = z.output<typeof catalogueEntrySchema>;

export const catalogueFileSchema = z.strictObject({ models: z.array(catalogueEntrySchema).max(2_000) });
