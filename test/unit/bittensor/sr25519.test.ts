import { randomBytes } from 'node:crypto';
import * as javascript from '@polkadot/util-crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sign, signaturesReady, verify } from '../../../src-main/bittensor/sr25519.ts';

const key = javascript.sr25519PairFromSeed(randomBytes(32));
const message = Buffer.from('hello');

beforeAll(signaturesReady);

describe('a signature', () => {
  it.each([
    ['a seed', key],
    ['a derived key', javascript.sr25519DeriveSoft(key, randomBytes(32))],
  ])('by %s is what another implementation takes and makes', (_, pair) => {
    expect(javascript.sr25519Verify(message, sign(message, pair), pair.publicKey)).toBe(true);
    expect(verify(message, javascript.sr25519Sign(message, pair), pair.publicKey)).toBe(true);
  });

  it('counts for its message and its key only', () => {
    const signature = sign(message, key);
    const other = javascript.sr25519PairFromSeed(randomBytes(32));
    expect(verify(Buffer.from('hallo'), signature, key.publicKey)).toBe(false);
    expect(verify(message, signature, other.publicKey)).toBe(false);
  });

  it.each([
    ['random bytes', randomBytes(64)],
    ['zeros', Buffer.alloc(64)],
    ['ones', Buffer.alloc(64, 0xff)],
  ])('is not %s', (_, bytes) => {
    expect(verify(message, bytes, key.publicKey)).toBe(false);
  });

  it('of nobody, which anybody could make, is none', () => {
    const made = Buffer.alloc(64).fill(0x80, 63);
    expect(verify(message, made, Buffer.alloc(32))).toBe(false);
  });
});
