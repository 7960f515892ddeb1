import { hexPattern } from '../../src-preload/contract/limits.ts';

/** So many bytes that somebody wrote in hexadecimal digits, with 0x before them or not, large or small; undefined for anything else. */
export function bytesOfHex(text: string, bytes: number): Buffer | undefined {
  const digits = text.trim().toLowerCase().replace(/^0x/, '');
  return hexPattern(bytes).test(digits) ? Buffer.from(digits, 'hex') : undefined;
}

/** As Bittensor, polkadot.js and the RPC write bytes: 0x and small digits. */
export const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`;
