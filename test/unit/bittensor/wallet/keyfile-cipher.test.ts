import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  naclKey,
  sealingOf,
  sealKeyfile,
  unsealKeyfile,
} from '../../../../src-main/bittensor/wallet/keyfile-cipher.ts';
import { SHEET_KEY } from '../../../support/bittensor-key.ts';
import { findVector } from '../../../support/vectors.ts';

/** Written by `cryptography` and `ansible-core`, with the sheet's key and password. */
const fixture = (name: string) => readFileSync(resolve(import.meta.dirname, '../../../fixtures/bittensor', name));
const { password, address } = SHEET_KEY;

describe('keyfiles', () => {
  it('have the key of the official wallet', () => {
    expect(naclKey(password).toString('hex')).toBe(SHEET_KEY.naclKey);
  });

  it('are told apart by their first bytes', () => {
    expect(['fernet-coldkey', 'ansible-coldkey'].map((name) => sealingOf(fixture(name)))).toEqual([
      'fernet',
      'ansible',
    ]);
    expect([sealingOf(Buffer.from('{}')), sealingOf(Buffer.alloc(0))]).toEqual(['plain', 'plain']);
  });

  it.each(['fernet-coldkey', 'ansible-coldkey'])('of old kinds are opened: %s', (name) => {
    expect(JSON.parse(String(unsealKeyfile(fixture(name), password)))).toMatchObject({ ss58Address: address });
  });

  it('of old kinds want the right password', () => {
    expect(() => unsealKeyfile(fixture('ansible-coldkey'), 'wrong')).toThrow(
      expect.objectContaining({ field: 'password' }),
    );
  });

  it('open again with the password they were written with', () => {
    const sealed = sealKeyfile(Buffer.from('{"a":1}'), 'pässword');
    expect(sealingOf(sealed)).toBe('nacl');
    expect(String(unsealKeyfile(sealed, 'pässword'))).toBe('{"a":1}');
  });

  it('want their password', () => {
    expect(() => unsealKeyfile(Buffer.from('$NACL'), null)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }));
  });

  it.each([
    '$NACL',
    '$NACL123',
    'gAAAAA',
    'gAAAAAB',
    '$ANSIBLE_VAULT',
    '$ANSIBLE_VAULT;1.1;AES256\n61',
    '$ANSIBLE_VAULT;1.1;AES256\n310a320a33',
  ])('that are cut off are refused: %s', (text) =>
    expect(() => unsealKeyfile(Buffer.from(text), 'x')).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' })),
  );

  const sample = findVector('nacl_coldkey.bin');
  it.skipIf(!sample)('of the sheet are opened (skipped where the vectors are missing)', () => {
    expect(JSON.parse(String(unsealKeyfile(readFileSync(sample ?? ''), password)))).toMatchObject({
      ss58Address: address,
    });
  });
});
