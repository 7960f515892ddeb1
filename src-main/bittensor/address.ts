// File by file: the whole of it takes a third of a second to load.
import { decodeAddress } from '@polkadot/util-crypto/address/decode';
import { encodeAddress } from '@polkadot/util-crypto/address/encode';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';

/** How Bittensor's addresses begin: ss58 with the prefix 42 (Bittensor §2). */
export const SS58_PREFIX = 42;
const MOST_CHARS = 64;

/** The address of a public key of 32 bytes. */
export const addressOf = (publicKey: Uint8Array): string => encodeAddress(publicKey, SS58_PREFIX);

/** Whether a text is an address of Bittensor, with a right checksum, of 32 bytes. */
export function isAddress(text: string): boolean {
  return keyIn(text) !== undefined;
}

/** Decoded once: of a subnet's neurons there are hundreds of addresses, and each takes the main thread a while. */
function keyIn(text: string): Uint8Array | undefined {
  if (text.length > MOST_CHARS || text.startsWith('0x')) return undefined; // hexadecimal digits are bytes to polkadot.js
  try {
    const key = decodeAddress(text, false, SS58_PREFIX);
    return key.length === 32 ? key : undefined;
  } catch {
    return undefined; // no such address
  }
}

/**
 * The public key of an address.
 * @throws BAD_REQUEST with the field `address` for what is none, has a wrong checksum or another network's prefix
 */
export function publicKeyOf(address: string): Uint8Array {
  const key = keyIn(address);
  if (key) return key;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('bittensor.noAddress'),
    hint: say('bittensor.addressLooks'),
    field: 'address',
  });
}
