import type { z } from 'zod';
import { pledgeBytes } from '../../credits/pledge.ts';
import { type ReceiptBody, receiptBytes } from '../../credits/receipt.ts';
import { type VoucherBody, voucherBytes } from '../../credits/voucher.ts';
import { type Evidence, signedBytes } from '../../mesh/transport/envelope.ts';
import type { Identity } from '../../mesh/transport/identity.ts';
import { damaged, mutated } from './mutations.ts';
import { exampleOf, oneOf, type Pick } from './schema-values.ts';

/** A network, as far as whoever speaks on it has to know it. */
export interface Tongue {
  readonly name: string;
  readonly schema: z.core.$ZodType;
  readonly maxFrame: number;
}

/** Who speaks, and what it knows: with that its lies are about something. */
export interface Speaker {
  readonly identity: Identity;
  /** Id of the node that is spoken to. */
  readonly victim: string;
  /** Ids of other nodes. */
  readonly others: readonly string[];
  /** Ids of requests that were heard of or made up, the last ones; the speaker adds its own. */
  readonly requests: string[];
}

const REMEMBERED = 4;
const LENGTH_BYTES = 4;
/** Frames above this are not said thirty times in one breath: whoever makes them has other things to do. */
const MANY_BYTES = 65_536;

/** What a hostile peer says next on a network, as bytes for its channel. */
export function utterance(tongue: Tongue, speaker: Speaker, pick: Pick): Buffer {
  const kind = pick(12);
  if (kind < 5) return frameOf(json(lie(tongue.schema, speaker, pick)));
  if (kind < 9) return frameOf(json(twistedLie(tongue.schema, speaker, pick)));
  if (kind === 9) return frameOf(damaged(json(lie(tongue.schema, speaker, pick)), pick));
  if (kind === 10) return damaged(frameOf(json(lie(tongue.schema, speaker, pick))), pick);
  return several(tongue, speaker, pick);
}

/** A message that passes the schema and is signed by whoever says it: a lie is all that can be wrong with it. */
export function lie(schema: z.core.$ZodType, speaker: Speaker, pick: Pick): unknown {
  const words = (length: number) => wordsOf(speaker, length);
  return signed(exampleOf(schema, pick, words), speaker);
}

/** A lie that was changed, and then signed anew or not. */
function twistedLie(schema: z.core.$ZodType, speaker: Speaker, pick: Pick): unknown {
  const twisted = mutated(lie(schema, speaker, pick), pick);
  return pick(2) === 0 ? signed(twisted, speaker) : twisted;
}

/** A message with its length before it. @param claimed length that is said instead of the true one */
export function frameOf(body: Uint8Array, claimed = body.length): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + body.length);
  frame.writeUInt32BE(claimed, 0);
  frame.set(body, LENGTH_BYTES);
  return frame;
}

/** Several frames at once, the same one again, or a length that is none. */
function several(tongue: Tongue, speaker: Speaker, pick: Pick): Buffer {
  const body = json(lie(tongue.schema, speaker, pick));
  const claims = [0, 1, body.length - 1, body.length + 1, tongue.maxFrame, tongue.maxFrame + 1, 2 ** 32 - 1];
  if (pick(2) === 0) return frameOf(body, Math.max(0, oneOf(claims, pick)));
  const frame = frameOf(body);
  return Buffer.concat(Array<Buffer>(frame.length > MANY_BYTES ? 2 : 1 + pick(30)).fill(frame));
}

function wordsOf({ identity, victim, others, requests }: Speaker, length: number): readonly string[] {
  if (length === 64) return [identity.id, victim, ...others];
  return length === 32 ? requests : [];
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? 'null');
}

type Fields = Record<string, unknown>;

/** Puts the speaker's own signature wherever one belongs, from the inside out. What cannot be signed stays as it is. */
function signed(value: unknown, speaker: Speaker): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) signed(each, speaker);
  const fields = value as Fields;
  try {
    if (fields.type === 'pledge') signPledge(fields, speaker);
    else if ('from' in fields && 'sig' in fields) signEvidence(fields, speaker);
    else if ('body' in fields && 'workerSig' in fields) signReceipt(fields, speaker);
    else if ('body' in fields && 'sig' in fields) signVoucher(fields, speaker);
  } catch {
    return value; // RFC 8785 has no bytes for it
  }
  if (typeof fields.requestId === 'string' && fields.requestId.length === 32) remember(speaker, fields.requestId);
  return value;
}

function signEvidence(fields: Fields, { identity }: Speaker): void {
  fields.from = identity.id;
  fields.sig = identity.sign(signedBytes(fields as unknown as Evidence));
}

function signReceipt(fields: Fields, { identity }: Speaker): void {
  const sig = identity.sign(receiptBytes(fields.body as ReceiptBody));
  fields.workerSig = sig;
  if ('clientSig' in fields) fields.clientSig = sig;
}

/** Its own word for somebody, which is worth what the victim owes it. */
function signVoucher(fields: Fields, { identity }: Speaker): void {
  const body = fields.body as VoucherBody;
  body.by = identity.id;
  fields.sig = identity.sign(voucherBytes(body));
}

/** Of a prompt whose hash nobody has told: the signature is one, of something else. */
function signPledge(fields: Fields, { identity, victim }: Speaker): void {
  const { requestId, credits } = fields as { requestId: string; credits: number };
  const pledge = { requestId, credits, worker: victim, client: identity.id, promptHash: '0'.repeat(64) };
  fields.sig = identity.sign(pledgeBytes(pledge));
}

/** A request that others may be spoken to about. */
export function remember({ requests }: Speaker, requestId: string): void {
  if (requests.includes(requestId)) return;
  requests.unshift(requestId);
  requests.length = Math.min(requests.length, REMEMBERED);
}
