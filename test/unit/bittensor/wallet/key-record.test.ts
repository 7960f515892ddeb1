import { cryptoWaitReady, sr25519Sign, sr25519Verify } from '@polkadot/util-crypto';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  fromCanonical,
  keyOfPhrase,
  MAX_KEYFILE_BYTES,
  publicPart,
  readAddress,
  readSecretKey,
  toCanonical,
  writeSecretKey,
} from '../../../../src-main/bittensor/wallet/key-record.ts';
import { SHEET_KEY } from '../../../support/bittensor-key.ts';

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');
const json = (record: object) => Buffer.from(JSON.stringify(record));
const { phrase, seed, publicKey, address, expanded, canonical } = SHEET_KEY;

beforeAll(async () => {
  await cryptoWaitReady();
});

describe('keys', () => {
  it('come from words as in the official wallet', () => {
    const key = keyOfPhrase(`  ${phrase.replaceAll(' ', '\n').toUpperCase()} `);
    expect([hex(key.seed), hex(key.publicKey), hex(key.secretKey)]).toEqual([seed, publicKey, expanded]);
  });

  it.each([
    ['words', { secretPhrase: phrase }],
    ['a seed', { secretSeed: `0x${seed}` }],
    [
      'a private key, whatever the file says to be its public one',
      { privateKey: `0x${canonical}`, publicKey: `0x${'11'.repeat(32)}` },
    ],
    ['words before the rest', { secretPhrase: phrase, secretSeed: `0x${'22'.repeat(32)}` }],
    ['a file of the official wallet 4.1', { secretSeed: `0x${seed}`, cryptoType: 1, secretPhrase: null }],
  ])('are read by %s', (_, record) => {
    const key = readSecretKey(json(record));
    expect([hex(key.publicKey), hex(key.secretKey)]).toEqual([publicKey, expanded]);
  });

  it('of a private key alone sign as the others do', () => {
    const key = readSecretKey(json({ privateKey: `0x${canonical}` }));
    const message = Buffer.from('hello');
    expect(sr25519Verify(message, sr25519Sign(message, key), Buffer.from(publicKey, 'hex'))).toBe(true);
  });

  it('are written as the official wallet reads them: its own form of the private key, no kind', () => {
    expect(JSON.parse(String(writeSecretKey(keyOfPhrase(phrase))))).toEqual({
      accountId: `0x${publicKey}`,
      publicKey: `0x${publicKey}`,
      privateKey: `0x${canonical}`,
      secretPhrase: phrase,
      secretSeed: `0x${seed}`,
      ss58Address: address,
    });
    expect(readAddress(json(publicPart(address)))).toBe(address);
  });

  it('go from one form to the other and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (bytes) => {
        bytes[31] = (bytes[31] ?? 0) & 0x1f; // a canonical scalar has 253 bits
        expect(toCanonical(fromCanonical(bytes))).toEqual(bytes);
      }),
    );
  });
});

describe('what is no keyfile', () => {
  it.each([
    ['an ed25519 key', { secretSeed: `0x${seed}`, cryptoType: 0 }, /ed25519/],
    ['an address alone', { ss58Address: address }, /no key/],
    [
      'a key beside another address',
      { secretPhrase: phrase, ss58Address: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY' },
      /not the one/,
    ],
    ['a list', [], /not a keyfile|no key/],
    ['a private key of no meaning', { privateKey: `0x${'00'.repeat(64)}` }, /not a keyfile/],
  ])('is refused: %s', (_, record, message) => {
    expect(() => readSecretKey(json(record))).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(message) }),
    );
  });

  it('is refused without repeating what it holds', () => {
    const text = `{"secretPhrase": "${phrase}`;
    expect(() => readSecretKey(Buffer.from(text))).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('leopard') }),
    );
    expect(() => readSecretKey(json({ secretPhrase: phrase.replace('old', 'odl') }))).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('leopard') }),
    );
  });

  it('is refused by its size, before it is read', () => {
    expect(() => readSecretKey(Buffer.alloc(MAX_KEYFILE_BYTES + 1))).toThrow(/too large/);
  });
});
