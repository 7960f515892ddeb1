import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { nodeIdSchema, sha256Schema } from '../../../src-preload/contract/keys.ts';
import { adapterNameSchema } from '../../../src-preload/contract/learning.ts';
import { MAX_ADAPTER_BYTES } from '../../../src-preload/contract/limits.ts';
import { isModelName } from '../../models/model-name.ts';
import { evidence, plain } from '../transport/envelope.ts';

/** Most models that a node offers, and most versions of adapters. */
export const MAX_OFFERS = 64;
/** Largest frame body of the models network, in bytes: {@link MAX_OFFERS} of the longest offers. */
const MAX_OFFERS_FRAME = 256 * 1024;

/** Longest strings, in UTF-16 units, and largest numbers of an offer. */
export const OFFER_LIMITS = { file: 200, licence: 100, quantisation: 40, contextLength: 10_000_000, baseName: 100 };
/** In a hello's `caps`: this node takes `adapter-offers`. */
export const ADAPTERS_CAP = 'adapter-offers';

// These words reach terminals and folders: besides what `withoutControls` takes out of a text, no invisible character at all.
const plainText = z.string().regex(/^[\x20-\x7e]*$/, 'printable ASCII');
const fileName = z.string().regex(/^(?!\.{1,2}$)[^\p{C}\p{Zl}\p{Zp}/\\]+$/u, 'a plain file name');

/**
 * «I have this file»: what it is called, what it is, and how to fetch it. Signed by the node's main identity, so that
 * whoever trusts that node may take its word for what a name stands for.
 */
export const offerSchema = evidence('model-offer', {
  /** Id of the connection that serves it: nobody else may pass this on as its own. */
  seeder: nodeIdSchema,
  /** The model's name in a library. */
  name: z.string().refine(isModelName),
  /** Its file's name. */
  file: fileName.max(OFFER_LIMITS.file),
  bytes: z
    .int()
    .min(1)
    .max(2 ** 44),
  sha256: sha256Schema,
  /** Root hash of the Merkle tree over the file's blocks: with the length, it makes the key of the core. */
  treeHash: sha256Schema,
  licence: plainText.max(OFFER_LIMITS.licence),
  quantisation: plainText.max(OFFER_LIMITS.quantisation),
  contextLength: z.int().min(0).max(OFFER_LIMITS.contextLength),
});
export type Offer = z.infer<typeof offerSchema>;

/**
 * «I have this version of an adapter», as a GGUF file of llama.cpp's, and for which model it was learnt. Signed as the offer of a model is; that it fits its
 * model is seen by whoever fetches it.
 */
export const adapterOfferSchema = evidence('adapter-offer', {
  /** Id of the connection that serves it: nobody else may pass this on as its own. */
  seeder: nodeIdSchema,
  /** `personal@3` is version 3 of `personal`, as its seeder calls it. */
  name: adapterNameSchema,
  number: z.int().min(1).max(999_999_999),
  bytes: z.int().min(1).max(MAX_ADAPTER_BYTES),
  sha256: sha256Schema,
  /** As that of a model's offer. */
  treeHash: sha256Schema,
  /** SHA-256 of the file of the model that it belongs to, and what the seeder calls that model. */
  base: sha256Schema,
  baseName: plainText.min(1).max(OFFER_LIMITS.baseName),
});
export type AdapterOffer = z.infer<typeof adapterOfferSchema>;
export type AnyOffer = Offer | AdapterOffer;

/** All models that the sender shares now; replaces what it said before. */
const offersSchema = plain('model-offers', { offers: boundedArray(offerSchema, MAX_OFFERS) });
/** All versions of adapters that it shares now, for who has {@link ADAPTERS_CAP}; replaces what it said before. */
const adapterOffersSchema = plain('adapter-offers', { offers: boundedArray(adapterOfferSchema, MAX_OFFERS) });

/** Every message of the models network after hello. */
export const modelsMessageSchema = z.discriminatedUnion('type', [offersSchema, adapterOffersSchema]);
export type ModelsMessage = z.infer<typeof modelsMessageSchema>;

/** Whoever has model files, or versions of adapters, offers them here; the files are replicated beside the messages, on a swarm of its own. */
export const MODELS_NETWORK = {
  name: 'qmesh-models-v2',
  schema: modelsMessageSchema,
  maxFrame: MAX_OFFERS_FRAME,
  signed: true,
  describe: () => ({ sides: [], caps: [ADAPTERS_CAP] }),
} as const;
