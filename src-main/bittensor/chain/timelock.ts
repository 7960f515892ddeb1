import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { publicKeyOf } from '../address.ts';
import { byteVector, littleEndian, u16Vector } from './scale.ts';
import type { ChainWeights } from './weights.ts';

/** Drand's quicknet, whose beacons open what is locked (Bittensor §3.3): Unix seconds of its first round, and seconds between two. */
export const QUICKNET = { genesis: 1_692_803_367, periodS: 3 } as const;

/** Its public key: a point of G2, 96 bytes. */
const PUBLIC_KEY = bls12_381.G2.Point.fromHex(
  '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
);
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';
const CIPHER = Buffer.from('AES_GCM_');
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const FIELD_BYTES = 48;

type Gt = ReturnType<typeof bls12_381.pairing>;

/**
 * Weights that open by themselves at a round of drand, as `commit_timelocked_weights` with version 4 wants them (Bittensor §3.3).
 * @param hotkey ss58 of whoever signs the call: the chain drops the weights of anybody else, and says nothing
 */
export function timelockedWeights(
  { uids, values }: ChainWeights,
  { hotkey, versionKey, round }: { hotkey: string; versionKey: bigint; round: number },
): Uint8Array {
  const who = byteVector(publicKeyOf(hotkey));
  return timelock(Buffer.concat([who, u16Vector(uids), u16Vector(values), littleEndian(versionKey, 8)]), round);
}

/**
 * Locks bytes until a round of drand's quicknet: identity-based encryption to that round, as the crate `timelock` does at the
 * revision that subtensor uses, which is another layout than tlock-js and the npm wrapper (Bittensor §3.3a).
 *
 * @param random where secrets come from. Default: the system
 * @returns the message, 244 bytes longer
 */
export function timelock(message: Uint8Array, round: number, random: (bytes: number) => Uint8Array = randomBytes) {
  const key = random(KEY_BYTES);
  const sigma = sha256(random(KEY_BYTES));
  const r = bls12_381.fields.Fr.create(BigInt(`0x${sha256(sigma, key).toString('hex')}`));
  const shared = bls12_381.pairing(identityOf(round), PUBLIC_KEY.multiply(r));
  const nonce = random(NONCE_BYTES);
  const body = sealed(message, key, nonce);
  return Buffer.concat([
    bls12_381.G2.Point.BASE.multiply(r).toBytes(true),
    withLength(xor(sigma, sha256(gtBytes(shared)))),
    withLength(xor(key, sha256(sigma))),
    withLength(Buffer.concat([withLength(body), withLength(nonce)])),
    withLength(CIPHER),
  ]);
}

/** A round as a point of G1, which its signature is a multiple of. */
function identityOf(round: number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(round));
  return bls12_381.G1.Point.fromAffine(bls12_381.G1.hashToCurve(sha256(bytes), { DST: DOMAIN }).toAffine());
}

/** AES-256-GCM, its tag of 16 bytes at the end. */
function sealed(message: Uint8Array, key: Uint8Array, nonce: Uint8Array): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([cipher.update(message), cipher.final(), cipher.getAuthTag()]);
}

/** Twelve numbers of the field, the lowest first, each with its lowest byte first: as arkworks writes them, unlike noble. */
export function gtBytes({ c0, c1 }: Gt): Uint8Array {
  const numbers = [c0, c1].flatMap((six) => [six.c0, six.c1, six.c2].flatMap((two) => [two.c0, two.c1]));
  return Buffer.concat(numbers.map((number) => littleEndian(number, FIELD_BYTES)));
}

function withLength(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([littleEndian(bytes.length, 8), bytes]);
}

function xor(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, at) => byte ^ (other[at] ?? 0));
}

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
