import { oc } from '@orpc/contract';
import { z } from 'zod';
import { adapterNameSchema } from './learning.ts';
import { MAX_VERSION_CHARS } from './limits.ts';
import { downloadSchema, sharedModelSchema } from './models.ts';

/** A version of an adapter that other nodes share. */
export const offeredAdapterSchema = z.object({
  /** What it is called there: `personal@3`. */
  name: z.string(),
  number: z.int(),
  bytes: z.number(),
  sha256: z.string(),
  /** SHA-256 of the file of the model that it belongs to, 64 hex, and what that is called there. */
  base: z.string(),
  baseName: z.string(),
  /** Ids of those who vouch for it. */
  signers: z.array(z.string()),
  /** One of them is on this node's list of trusted signers. */
  trusted: z.boolean(),
  seeders: z.number(),
  /** Name of the model that it belongs to in this node's library; null where that is not here: then it cannot be fetched. */
  baseHere: z.string().nullable(),
  /** Which version of this node it is: `personal@4`; null where it is not here. */
  here: z.string().nullable(),
});
export type OfferedAdapter = z.infer<typeof offeredAdapterSchema>;

/** What of a version goes out when it is shared, and how its sharing stands. */
export const versionSharingSchema = z.object({
  /** What others are told. `bytes` and `sha256` are those of the file that they get, `base` is the SHA-256 of the model's file. */
  offer: offeredAdapterSchema.pick({ name: true, number: true, bytes: true, sha256: true, base: true, baseName: true }),
  /** Null: it is not shared. */
  status: sharedModelSchema.nullable(),
});
export type VersionSharing = z.infer<typeof versionSharingSchema>;

const version = z.string().min(1).max(MAX_VERSION_CHARS);

export const learningSharingContract = {
  /**
   * Offers a version to other nodes, until it is not wanted any more. What it learnt from is not in the file, and yet may be read out of it.
   * @throws ADAPTER_NOT_FOUND, ADAPTER_INVALID; NOT_RUNNING where this node is not on the models network; DISK_FULL, BAD_REQUEST for too many
   */
  share: oc.input(z.object({ version })).output(versionSharingSchema),
  /** Offers it no longer. @throws ADAPTER_NOT_FOUND; BAD_REQUEST when it is not shared */
  unshare: oc.input(z.object({ version })).output(z.void()),
  /** What would go out, and how it stands. @throws ADAPTER_NOT_FOUND, ADAPTER_INVALID */
  sharing: oc.input(z.object({ version })).output(versionSharingSchema),
  /** What other nodes share, as far as they are in reach now. @param waitMs milliseconds to look around before */
  offers: oc
    .input(z.object({ waitMs: z.int().min(0).max(60_000).default(0) }))
    .output(z.object({ peers: z.int(), offers: z.array(offeredAdapterSchema) })),
  /**
   * Fetches a version that others share, as a download: it can be followed, paused, gone on with and cancelled among those of models. It becomes the newest version of
   * an adapter, and is not in use.
   * @throws MODEL_NOT_FOUND when the model that it belongs to is not here, ADAPTER_NOT_FOUND when nobody offers it; BAD_REQUEST when it is here, or several are called so, or it is shared for several models that are here;
   *   ADAPTER_INVALID when an adapter of that name is of another model; UNAUTHORIZED when nobody who is trusted vouches for it
   */
  fetch: oc
    .input(
      z.object({
        /** SHA-256 of its file, or what it is called there: `personal@3`. */
        version,
        /** Of which adapter it is to be a version here. Default: as it is called there; where only strangers vouch for a SHA-256, a name made of that. */
        adapter: adapterNameSchema.optional(),
        /** Name of the model here that it is for. Default: the only one that it is shared for. */
        model: z.string().min(1).max(300).optional(),
        /** Take it although no trusted signer vouches for it. */
        trust: z.boolean().default(false),
      }),
    )
    .output(downloadSchema),
};
