import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { repositoryIdSchema } from '../../../src-preload/contract/hub.ts';
import { sha256Schema } from '../../../src-preload/contract/keys.ts';

/**
 * What the Hub's API says, as far as Quarry asks (https://huggingface.co/docs/hub/api). Of what does not matter for a download a
 * wrong type counts as not told; a wrong name, size or hash makes the answer useless.
 */

const MOST_FILES = 20_000;
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** What its indexer has read from the header of one of the files. */
const ggufSchema = z.object({
  /** Parameters. */
  total: z.number().int().min(1).max(1e15).optional().catch(undefined),
  architecture: z.string().min(1).max(64).optional().catch(undefined),
  context_length: z.number().int().min(1).max(1e9).optional().catch(undefined),
});

const about = {
  id: repositoryIdSchema,
  downloads: count.catch(0),
  likes: count.catch(0),
  lastModified: z.string().max(40).optional().catch(undefined),
  gated: z
    .union([z.boolean(), z.enum(['auto', 'manual'])])
    .optional()
    .catch(undefined),
  tags: boundedArray(z.string().max(500), 5_000).optional().catch(undefined),
  gguf: ggufSchema.optional().catch(undefined),
};

/** One entry of `/api/models`. */
export const listedSchema = z.object(about);
export type Listed = z.infer<typeof listedSchema>;

/** `/api/models`. */
export const listSchema = boundedArray(z.unknown(), 1_000);

const siblingSchema = z.object({
  /** Path in the repository. */
  rfilename: z.string().max(1_000),
  size: count.nullish(),
  /** Of a large file; its hash is what the whole file is checked against. */
  lfs: z.object({ sha256: sha256Schema, size: count }).nullish(),
});
export type Sibling = z.infer<typeof siblingSchema>;

/** `/api/models/OWNER/NAME?blobs=true`. */
export const repositorySchema = z.object({
  ...about,
  /** The commit that is described. */
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  cardData: z
    .object({ license: z.string().max(100).optional(), license_name: z.string().max(100).optional() })
    .nullish()
    .catch(undefined),
  siblings: boundedArray(siblingSchema, MOST_FILES),
});
export type Repository = z.infer<typeof repositorySchema>;

/** SPDX identifier, or a name such as `gemma`; null where none is told. */
export function licenceOf({ tags = [], cardData }: Pick<Repository, 'tags' | 'cardData'>): string | null {
  const tagged = tags.find((tag) => tag.startsWith('license:'))?.slice('license:'.length);
  const licence = tagged || cardData?.license || null;
  return licence === 'other' ? cardData?.license_name || 'other' : licence;
}
