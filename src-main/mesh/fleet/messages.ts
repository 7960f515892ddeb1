import { z } from 'zod';
import { boundedRecord } from '../../../src-preload/contract/bounded.ts';
import { randomIdSchema, sha256Schema } from '../../../src-preload/contract/keys.ts';
import { MAX_NODE_NAME_CHARS } from '../../../src-preload/contract/limits.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { plain } from '../transport/envelope.ts';

/** Largest frame body of both, in bytes: a summary of the longest words has some 6 KB. */
export const MAX_FLEET_FRAME = 16 * 1024;

/** What a node is called, as it may stand anywhere: one line without what steers a terminal or turns the text around it. */
const name = z
  .string()
  .max(MAX_NODE_NAME_CHARS)
  .refine((text) => text !== '' && foreignLine(text) === text, 'a name in one line');
/** HMAC that shows that the sender knows the code: see `code-keys.ts`. */
const proof = sha256Schema;

/** Pairing, from the one who was given the code to the one that has shown it, there and back and there. */
const pairRequestSchema = plain('pair-request', { name, proof });
const pairAcceptSchema = plain('pair-accept', { name, proof });
const pairRefuseSchema = plain('pair-refuse', { reason: z.enum(['used', 'full']), proof });
const pairDoneSchema = plain('pair-done', {});

export const pairingMessageSchema = z.discriminatedUnion('type', [
  pairRequestSchema,
  pairAcceptSchema,
  pairRefuseSchema,
  pairDoneSchema,
]);
export type PairingMessage = z.infer<typeof pairingMessageSchema>;

/** A word that another version may know and this one may not: an owner’s nodes are not all updated at once. */
const word = z.string().regex(/^[a-z-]{1,20}$/);
const figure = z.number().min(-1e12).max(1e12);
/** Most characters of a fact in words. */
export const MAX_FACT_CHARS = 300;
const MAX_FACTS = 40;

/** How a node is, in words and figures: no list of them is closed, and everything has a bound. */
const summarySchema = z.strictObject({
  name,
  version: z.string().max(40),
  role: word,
  standing: word,
  /** Of a pause or a slower speed: the rule of the load policy. */
  rule: word.optional(),
  /** Points, since midnight there, and of the last seven days there. */
  earned: z.strictObject({ today: figure, week: figure }),
  tier: word,
  /** What the sender can spend. */
  credits: figure,
  /** What else there is to tell; the receiver takes what it knows. */
  facts: boundedRecord(
    z.string().regex(/^[a-zA-Z]{1,30}$/),
    z.union([figure, z.string().max(MAX_FACT_CHARS)]),
    MAX_FACTS,
  ),
});
export type SummaryWords = z.infer<typeof summarySchema>;

/** «So I am now.» Replaces what the sender said before. */
const summaryMessageSchema = plain('node-summary', {
  summary: summarySchema,
  /** Whether the receiver may start and stop mining at the sender. */
  control: z.boolean(),
});
/** Asks for mining to be started or stopped. */
const orderSchema = plain('mining-order', { id: randomIdSchema, want: z.enum(['start', 'stop']) });
const orderAnswerSchema = plain('mining-answer', {
  id: randomIdSchema,
  result: z.enum(['accepted', 'not-allowed', 'no-miner']),
});
/** «I am not paired with you», be it any more. */
const unpairedSchema = plain('unpaired', {});

export const fleetMessageSchema = z.discriminatedUnion('type', [
  summaryMessageSchema,
  orderSchema,
  orderAnswerSchema,
  unpairedSchema,
]);
export type FleetMessage = z.infer<typeof fleetMessageSchema>;

/** Largest frame body of a call, in bytes: 32 KiB of a file as base64, and what stands around it. */
export const MAX_CALL_FRAME = 64 * 1024;

/** «I have something to talk about»: begins a call. */
const callBeginSchema = plain('call-begin', { id: randomIdSchema, about: z.string().regex(/^[a-z-]{1,40}$/) });
/** A message of a call. What it may be is its domain's to say. */
const callSaySchema = plain('call-say', { id: randomIdSchema, message: z.unknown() });
/** Either side hangs up, or takes no such call. */
const callEndSchema = plain('call-end', { id: randomIdSchema });

export const callMessageSchema = z.discriminatedUnion('type', [callBeginSchema, callSaySchema, callEndSchema]);
export type CallMessage = z.infer<typeof callMessageSchema>;
export type OrderResult = z.infer<typeof orderAnswerSchema>['result'];

/** Two nodes of one owner, of which one shows a code and the other was given it. The name is part of the protocol. */
export const PAIRING_NETWORK = {
  name: 'qmesh-pairing-v2',
  schema: pairingMessageSchema,
  maxFrame: MAX_FLEET_FRAME,
} as const;

/** Nodes of one owner that are paired tell each other how they are; on no DHT. */
export const FLEET_NETWORK = { name: 'qmesh-fleet-v2', schema: fleetMessageSchema, maxFrame: MAX_FLEET_FRAME } as const;

/** What domains of this program have to say to themselves on another of the owner's nodes; on no DHT. */
export const CALLS_NETWORK = { name: 'qmesh-calls-v2', schema: callMessageSchema, maxFrame: MAX_CALL_FRAME } as const;
