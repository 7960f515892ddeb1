import { z } from 'zod';
import { nodeIdSchema } from '../../credits/receipt.ts';
import { evidence, plain } from '../envelope.ts';

/** Most models that a node offers. */
export const MAX_OFFERS = 64;
/** Largest frame body of the models network, in bytes: {@link MAX_OFFERS} of the longest offers. */
export const MAX_OFFERS_FRAME = 256 * 1024;

const digest = z.string().regex(/^[0-9a-f]{64}$/, '64 hex digits');

/**
 * «I have this file»: what it is called, what it is, and how to fetch it. Signed by the node's main identity, so that
 * whoever trusts that node may take its word for what a name stands for.
 */
export const offerSchema = evidence('model-offer', {
  /** Id of the connection that serves it: nobody else may pass this on as its own. */
  seeder: nodeIdSchema,
  /** The model's name in a library. */
  name: z.string().min(1).max(100),
  /** Its file's name. */
  file: z.string().min(1).max(200),
  bytes: z
    .int()
    .min(1)
    .max(2 ** 44),
  sha256: digest,
  /** Root hash of the Merkle tree over the file's blocks: with the length, it makes the key of the core. */
  treeHash: digest,
  licence: z.string().max(100),
  quantisation: z.string().max(40),
  contextLength: z.int().min(0).max(10_000_000),
});
export type Offer = z.infer<typeof offerSchema>;

/** All that the sender shares now; replaces what it said before. */
export const offersSchema = plain('model-offers', { offers: z.array(offerSchema).max(MAX_OFFERS) });

/** Every message of the models network after hello. */
export const modelsMessageSchema = z.discriminatedUnion('type', [offersSchema]);
export type ModelsMessage = z.infer<typeof modelsMessageSchema>;
