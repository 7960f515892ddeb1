import { z } from 'zod';
import { boundedArray } from '../../../src-preload/contract/bounded.ts';
import { randomIdSchema, sha256Schema } from '../../../src-preload/contract/keys.ts';
import { SIDES } from '../../../src-preload/contract/mesh.ts';
import { modelNameSchema } from '../../../src-preload/contract/request.ts';
import { plain } from './envelope.ts';

export const MAX_QUANTISATION_CHARS = 40;

/** In a hello's `caps`: the node's role is validator. No side of a request, and peers refuse a hello with a side that they do not know. */
export const VALIDATOR_CAP = 'validator';

/** Models that a worker names at most, in hello and in status. */
export const MAX_SERVED_MODELS = 32;

/** Longest time that a worker may say that loading a model takes, in milliseconds: an hour. */
export const MAX_LOAD_MS = 3_600_000;

/** A model that a worker serves. */
export const servedModelSchema = z.strictObject({
  name: modelNameSchema,
  sha256: sha256Schema.optional(),
  quantisation: z.string().max(MAX_QUANTISATION_CHARS).optional(),
  contextSize: z.int().min(0).max(10_000_000),
  /** It is installed and not in memory: so many milliseconds until its first token could come. Absent: it is in memory now. */
  loadMs: z.int().min(0).max(MAX_LOAD_MS).optional(),
});
export type ServedModel = z.infer<typeof servedModelSchema>;

/** The first frame of both sides, on every network. Authenticated by the Noise channel. */
export const helloSchema = plain('hello', {
  /** Unix milliseconds: tells a person whose clock is wrong before signatures are refused for it. */
  ts: z.int().min(0),
  /** The sides of a request that the sender takes. */
  sides: boundedArray(z.enum(SIDES), 2),
  models: boundedArray(servedModelSchema, MAX_SERVED_MODELS),
  /** Optional abilities, by name; unknown ones are ignored. */
  caps: boundedArray(z.string().max(64), 32),
  /** Program and version: `quarry/0.1.0`. */
  client: z.string().max(64),
  /** What the other side opened the channel with. Only who is at the address that it gave can know it. */
  echo: randomIdSchema,
  /** Private meshes: proof that the sender knows the secret. */
  proof: sha256Schema.optional(),
});
export type Hello = z.infer<typeof helloSchema>;

export const pingSchema = plain('ping', { nonce: z.int().min(0) });
export const pongSchema = plain('pong', { nonce: z.int().min(0) });
