import { createDecipheriv, createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { describe, expect, it } from 'vitest';
import { publicKeyOf } from '../../../../src-main/bittensor/address.ts';
import { gtBytes, timelock, timelockedWeights } from '../../../../src-main/bittensor/chain/timelock.ts';

const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
/** What drand's quicknet published for round 1000 (Bittensor §3.3a). */
const ROUND_1000 = bls12_381.G1.Point.fromHex(
  'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
);

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const xor = (one: Uint8Array, other: Uint8Array) => Buffer.from(one.map((byte, at) => byte ^ other[at]!));

/** Reads lengths of eight bytes, as subtensor's crate does. */
function reader(bytes: Buffer) {
  let at = 0;
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return { take, part: () => take(Number(take(8).readBigUInt64LE())), left: () => bytes.length - at };
}

/** Opens what is locked, with a round's signature. */
function open(locked: Buffer, signature: typeof ROUND_1000): Buffer {
  const wire = reader(locked);
  const u = bls12_381.G2.Point.fromHex(wire.take(96).toString('hex'));
  const [v, w, body, cipher] = [wire.part(), wire.part(), wire.part(), wire.part()];
  expect([v.length, w.length, cipher.toString(), wire.left()]).toEqual([32, 32, 'AES_GCM_', 0]);
  const sigma = xor(v, sha256(gtBytes(bls12_381.pairing(signature, u))));
  const key = xor(w, sha256(sigma));
  const r = bls12_381.fields.Fr.create(BigInt(`0x${sha256(sigma, key).toString('hex')}`));
  expect(bls12_381.G2.Point.BASE.multiply(r).equals(u)).toBe(true); // what the crate checks before it decrypts
  const sealed = reader(body);
  const [text, nonce] = [sealed.part(), sealed.part()];
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  decipher.setAuthTag(text.subarray(-16));
  return Buffer.concat([decipher.update(text.subarray(0, -16)), decipher.final()]);
}

describe('timelocked weights', () => {
  it('are opened by the signature of their round, and by no other', () => {
    const locked = timelock(Buffer.from('weights'), 1_000);
    expect(open(locked, ROUND_1000).toString()).toBe('weights');
    expect(() => open(timelock(Buffer.from('weights'), 1_001), ROUND_1000)).toThrow();
  });

  it('name whoever signs them, and stay far below the 5000 bytes that the chain takes', () => {
    const uids = Array.from({ length: 256 }, (_, uid) => uid);
    const locked = timelockedWeights(
      { uids, values: uids.map(() => 65_535) },
      { hotkey: ALICE, versionKey: 10_002_000n, round: 1_000 },
    );
    expect(locked.length).toBe(33 + 2 * 514 + 8 + 244);
    const payload = open(Buffer.from(locked), ROUND_1000);
    expect(payload.subarray(0, 33)).toEqual(Buffer.concat([Uint8Array.of(32 << 2), publicKeyOf(ALICE)]));
    expect(payload.subarray(33, 41).toString('hex')).toBe('0104000001000200');
    expect(payload.readBigUInt64LE(payload.length - 8)).toBe(10_002_000n);
  });

  it('are never the same twice', () => {
    expect(timelock(Buffer.of(1), 1_000)).not.toEqual(timelock(Buffer.of(1), 1_000));
  });
});
