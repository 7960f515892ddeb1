import { expect, it } from 'vitest';
import { fromByteAlphabet } from '../../../../src-main/inference/child/byte-alphabet.ts';

it('reads what byte-level BPE writes', () => {
  expect(Buffer.from(fromByteAlphabet('ĠĊhÃ¤')).toString()).toBe(' \nhä');
});

it('knows a character for each of the 256 bytes', () => {
  // The alphabet as its inventor writes it: printable bytes as they are, the others from U+0100 on.
  const printable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  const alphabet = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
  expect([...fromByteAlphabet(alphabet.join(''))]).toEqual(Array.from({ length: 256 }, (_, byte) => byte));
});

it('takes a character outside the alphabet as itself', () => {
  expect(Buffer.from(fromByteAlphabet('▁a')).toString()).toBe('▁a');
});
