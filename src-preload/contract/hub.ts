import { oc } from '@orpc/contract';
import { z } from 'zod';
import { HUB_SORTS } from './hub-sorts.ts';
import { fitSchema } from './models.ts';

/** `owner/name`; it goes into an address, and no part of it can lead upwards there. */
export const repositoryIdSchema = z.string().regex(/^\w[\w.-]{0,95}\/\w[\w.-]{0,95}$/);

/** A repository with GGUF files at Hugging Face, or at a mirror. */
const hubModelSchema = z.object({
  /** `owner/name`. */
  id: z.string(),
  downloads: z.number(),
  likes: z.number(),
  /** Unix milliseconds; null where it is not told. */
  updatedAt: z.number().nullable(),
  licence: z.string().nullable(),
  /** Who gets its files: everybody; those who accepted its terms with an account; those whom its owner let in besides. */
  access: z.enum(['open', 'terms', 'approval']),
  parameters: z.number().nullable(),
});
export type HubModel = z.infer<typeof hubModelSchema>;

/** One that was found; how it would run is estimated from its parameters, at about 4 bits each. */
const foundHubModelSchema = hubModelSchema.extend({
  /** Null where the parameters are not told. */
  fit: fitSchema.nullable(),
});
export type FoundHubModel = z.infer<typeof foundHubModelSchema>;

const hubPageSchema = z.object({
  /** Who was asked: «huggingface.co». */
  host: z.string(),
  models: z.array(foundHubModelSchema),
  /** For the next page; null on the last. */
  next: z.string().nullable(),
});
export type HubPage = z.infer<typeof hubPageSchema>;

const hubQuantisationSchema = z.object({
  /** «Q4_K_M»; the file's name where that names none. */
  name: z.string(),
  /** Path in the repository; of a model in pieces the first. */
  file: z.string(),
  bytes: z.number(),
  /** 64 hex; null where the server does not tell. */
  sha256: z.string().nullable(),
  /** Files that it comes in. More than one cannot be loaded here. */
  pieces: z.number(),
  /** What it is called in the library once it is downloaded. */
  model: z.string(),
  /** It is in the library already, under `model`. */
  installed: z.boolean(),
  /** Null for what cannot be loaded here. */
  fit: fitSchema.nullable(),
  /** The one to take on this computer; at most one of a repository. */
  recommended: z.boolean(),
});
export type HubQuantisation = z.infer<typeof hubQuantisationSchema>;

const hubRepositorySchema = hubModelSchema.extend({
  /** Its page, on which its terms are accepted, and the page on which an account's tokens are made. */
  page: z.string(),
  tokenPage: z.string(),
  /** A token of the settings is sent along. */
  hasToken: z.boolean(),
  architecture: z.string().nullable(),
  /** Tokens of context that it was trained for. */
  contextLength: z.number().nullable(),
  /** The fits are made from sizes alone, not from the header of one of its files. */
  estimated: z.boolean(),
  /** The smallest first. */
  quantisations: z.array(hubQuantisationSchema),
});
export type HubRepository = z.infer<typeof hubRepositorySchema>;

export const hubContract = {
  /**
   * Repositories with GGUF files whose names have these words, of the server in `models.endpoint`; without words all of them.
   * @throws DOWNLOAD_FAILED when it cannot be reached, PROTOCOL for an answer that makes no sense, RATE_LIMIT, UNAUTHORIZED
   */
  search: oc
    .input(
      z.object({
        text: z.string().max(200).default(''),
        sort: z.enum(HUB_SORTS).default('downloads'),
        /** `next` of the page before. */
        after: z.string().min(1).max(1_000).optional(),
        limit: z.int().min(1).max(100).default(30),
      }),
    )
    .output(hubPageSchema),
  /**
   * A repository with its quantisations and how each would run here.
   * @throws as `search`; MODEL_NOT_FOUND
   */
  repository: oc
    .input(
      z.object({
        id: repositoryIdSchema,
        /** Read the header of one of its files, some megabytes, for a better fit. Where that fails, the estimate stays. */
        exact: z.boolean().default(false),
      }),
    )
    .output(hubRepositorySchema),
};
