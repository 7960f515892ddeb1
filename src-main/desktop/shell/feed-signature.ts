import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { hexPattern } from '../../../src-preload/contract/limits.ts';

/**
 * Public half (64 hex) of the ed25519 key that the list of updates for Linux is signed with. There is none before the first
 * release, and without one no update is fetched there: `node scripts/update-key.ts make FILE` makes a pair.
 */
export const FEED_KEY: string | undefined = undefined;

/** Ends the name of the file with the signature, beside the list's own. */
export const SIGNATURE_SUFFIX = '.sig';

/** What stands before the key's 32 bytes in its usual form (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const KEY = hexPattern(32);
const SIGNATURE = /^[A-Za-z0-9+/]{86}==\n?$/;

/**
 * @param file name of the list: one for another processor is no good here
 * @param secret an ed25519 key
 * @returns the text of the signature's file
 */
export function signFeed(file: string, text: string, secret: KeyObject): string {
  return `${sign(null, signedBytes(file, text), secret).toString('base64')}\n`;
}

/** Whether the list with this name was signed with the key (64 hex). Never throws. */
export function isFeedSigned(file: string, text: string, signature: string, key: string): boolean {
  if (!SIGNATURE.test(signature) || !KEY.test(key)) return false;
  const spki = Buffer.concat([SPKI, Buffer.from(key, 'hex')]);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return verify(null, signedBytes(file, text), publicKey, Buffer.from(signature, 'base64'));
}

/** The public half of a key, as {@link FEED_KEY} has it. */
export function publicHalf(secret: KeyObject): string {
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' });
  return spki.subarray(SPKI.length).toString('hex');
}

function signedBytes(file: string, text: string): Buffer {
  return Buffer.from(`quarry-update-feed-v1\n${file}\n${text}`, 'utf8');
}
