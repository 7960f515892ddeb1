import { createHash, getHashes } from 'node:crypto';
import { sha3_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Electron's OpenSSL is BoringSSL, which has no SHA-3. Where there is one, it is twenty times as fast. */
const hasSha3 = getHashes().includes('sha3-256');

/** SHA3-256 of a text's UTF-8, in lower-case hex. */
export const sha3: (text: string) => string = hasSha3
  ? (text) => createHash('sha3-256').update(text).digest('hex')
  : (text) => bytesToHex(sha3_256(new TextEncoder().encode(text)));

/** What a signature covers of a body: the hashes of its fields one after the other, hashed again (Bittensor §1.2). */
export function bodyHash(texts: readonly string[]): string {
  return sha3(texts.map(sha3).join(''));
}
