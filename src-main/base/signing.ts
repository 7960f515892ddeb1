import canonicalize from 'canonicalize';

/** Whether `signature` (128 hex) of `bytes` was made by the node `id` (64 hex). Never throws. */
export type Verify = (id: string, bytes: Uint8Array, signature: string) => boolean;

/** Whoever signs: its key, 64 hex, and its signature of bytes, 128 hex. */
export interface Signer {
  readonly id: string;
  sign(bytes: Uint8Array): string;
}

/**
 * The exact bytes that are signed of whatever nodes sign: a domain tag, so that no signature is good for something else, a newline, and the
 * body as RFC 8785 JSON.
 */
export function taggedBytes(tag: string, body: object): Buffer {
  return Buffer.from(`${tag}\n${canonicalize(body)}`, 'utf8');
}
