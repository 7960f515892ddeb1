import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPlayedFromTheFront, leadingBytes } from '../../../../src-main/clips/sources/leading-part.ts';

function box(name: string, length: number, long = false): Buffer {
  const bytes = Buffer.alloc(long ? 16 : Math.max(8, Math.min(length, 1_000)));
  bytes.writeUInt32BE(long ? 1 : length);
  bytes.write(name, 4, 'latin1');
  if (long) bytes.writeBigUInt64BE(BigInt(length), 8);
  return bytes;
}
const padding = Buffer.alloc(64);

it.each<[string, Buffer, boolean]>([
  ['WebM', Buffer.concat([Buffer.from('1a45dfa3', 'hex'), padding]), true],
  ['Ogg', Buffer.concat([Buffer.from('OggS'), padding]), true],
  ['MPEG', Buffer.concat([Buffer.from('000001ba', 'hex'), padding]), true],
  ['MP4 with its index first', Buffer.concat([box('ftyp', 24), box('free', 8), box('moov', 900), padding]), true],
  ['MP4 with its pictures first', Buffer.concat([box('ftyp', 24), box('mdat', 1e9), padding]), false],
  ['MP4 with a long box first', Buffer.concat([box('ftyp', 24), box('wide', 2 ** 40, true), box('moov', 9)]), false],
  ['MP4 that ends within a box', box('ftyp', 24), false],
  ['MP4 with a box of no length', Buffer.concat([box('ftyp', 24), box('free', 0), box('moov', 90), padding]), false],
  ['AVI', Buffer.concat([Buffer.from('RIFF....AVI '), padding]), false],
  ['nothing', Buffer.alloc(0), false],
])('%s', (_, head, isPlayed) => expect(isPlayedFromTheFront(head)).toBe(isPlayed));

it('comes to an end for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => void isPlayedFromTheFront(Buffer.concat([box('ftyp', 16), bytes]))),
  );
});

it('guesses rather too many bytes, and never more than there are', () => {
  expect(leadingBytes(1_000, null, 300)).toBe(1_000);
  expect(leadingBytes(1_000_000_000, 305, 300)).toBe(1_000_000_000);
  const hour = leadingBytes(1_000_000_000, 3_600, 300);
  expect(hour).toBeGreaterThan(1_000_000_000 * (300 / 3_600) * 1.4);
  expect(hour).toBeLessThan(200_000_000);
  expect(leadingBytes(1_000, 3_600, 300)).toBe(1_000);
});
