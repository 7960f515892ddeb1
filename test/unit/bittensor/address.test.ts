import { describe, expect, it } from 'vitest';
import { addressOf, isAddress, publicKeyOf } from '../../../src-main/bittensor/address.ts';
import { SHEET_KEY } from '../../support/bittensor-key.ts';

const { publicKey, address } = SHEET_KEY;

describe('addresses', () => {
  it('are those of the official wallet', () => {
    expect(addressOf(Buffer.from(publicKey, 'hex'))).toBe(address);
    expect(Buffer.from(publicKeyOf(address)).toString('hex')).toBe(publicKey);
  });

  it.each([
    ['a mistyped one', address.replace('W', 'w')],
    ['one of Polkadot', '16ZL8yLyXv3V3L3z9ofR1ovFLziyXaN1DPq4yffMAZ9czzBD'],
    ['an account of one byte', 'F7Hs'],
    ['nothing', ''],
    ['a key in hexadecimal digits', `0x${publicKey}`],
    ['something longer', `${address}1`],
    ['a novel', '5'.repeat(1_000_000)],
  ])('are not %s', (_, text) => {
    expect(isAddress(text)).toBe(false);
    expect(() => publicKeyOf(text)).toThrow(expect.objectContaining({ field: 'address' }));
  });
});
