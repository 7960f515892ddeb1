import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { nodeIdSchema, randomIdSchema, signatureSchema } from '../../../src-preload/contract/keys.ts';
import { taggedBytes } from '../../base/signing.ts';
import { type Identity, verify } from './identity.ts';

/** Version of the wire protocol. A peer that says another one is left alone. */
export const PROTOCOL_VERSION = 2;

const version = z.literal(PROTOCOL_VERSION);

/** Schema of a message that only matters to the two ends of a connection: Noise says who sent it and in what order. */
export function plain<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.strictObject({ v: version, type: z.literal(type), ...shape });
}

/** Schema of a message that may be shown to others later: it names its author, its moment, and carries a signature. */
export function evidence<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.strictObject({
    v: version,
    type: z.literal(type),
    id: randomIdSchema,
    /** Unix milliseconds by the author's clock. */
    ts: z.int().min(0),
    from: nodeIdSchema,
    sig: signatureSchema,
    ...shape,
  });
}

/** What every signed message has. */
export interface Evidence {
  v: typeof PROTOCOL_VERSION;
  type: string;
  id: string;
  ts: number;
  from: string;
  sig: string;
}

/** A signed message's own fields, as its author writes them. */
export type EvidenceBody<M extends Evidence> = Omit<M, 'v' | 'id' | 'ts' | 'from' | 'sig'>;

/** The exact bytes that are signed: the message without `sig`. */
export function signedBytes(message: Omit<Evidence, 'sig'> & { sig?: string }): Buffer {
  const { sig: _, ...body } = message;
  return taggedBytes(`quarry-${message.type}/v${PROTOCOL_VERSION}`, body);
}

/** SHA-256 of signed bytes, 64 hex: names what was said, whoever asks. */
function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Completes a message with version, id, time, author and signature. */
export function signEvidence<M extends Evidence>(
  body: EvidenceBody<M> & { type: M['type'] },
  identity: Identity,
  now: number,
): M {
  return signAndHash<M>(body, identity, now).message;
}

/** As {@link signEvidence}, with the hash of what is signed: the bytes of a large message are made once for both. */
export function signAndHash<M extends Evidence>(
  body: EvidenceBody<M> & { type: M['type'] },
  identity: Identity,
  now: number,
): { message: M; hash: string } {
  const id = randomBytes(16).toString('hex');
  const unsigned = { ...body, v: PROTOCOL_VERSION, id, ts: now, from: identity.id } as Omit<Evidence, 'sig'>;
  const bytes = signedBytes(unsigned);
  return { message: { ...unsigned, sig: identity.sign(bytes) } as M, hash: hashOf(bytes) };
}

/** Whether the message was signed by the node that it names as its author. */
export function isAuthentic(message: Evidence): boolean {
  return authenticBytes(message) !== undefined;
}

/** The hash of an authentic message; undefined for another one. As {@link isAuthentic}, for who needs both. */
export function authenticHash(message: Evidence): string | undefined {
  const bytes = authenticBytes(message);
  return bytes && hashOf(bytes);
}

function authenticBytes(message: Evidence): Buffer | undefined {
  try {
    const bytes = signedBytes(message);
    return verify(message.from, bytes, message.sig) ? bytes : undefined;
  } catch {
    return undefined; // RFC 8785 has no bytes for it (half a character), so nobody can have signed it
  }
}
